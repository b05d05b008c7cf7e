package main

import (
	"crypto/sha256"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// measureCorpus measures docpin serving a snapshot file: its start beside that with the embedded corpus and the hashing
// of the file, its memory, and its searches beside a no-op tool.
func measureCorpus(docpin, file string) error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	data, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	command := []string{docpin, "serve", "--corpus", file}
	var took [3][]time.Duration // embedded, file, hashing
	for range starts {
		for i, c := range [][]string{{docpin, "serve"}, command} {
			begin := time.Now()
			s, err := start(c)
			if err != nil {
				return err
			}
			took[i] = append(took[i], time.Since(begin))
			if err := s.stop(); err != nil {
				return err
			}
		}
		begin := time.Now()
		sha256.Sum256(data)
		took[2] = append(took[2], time.Since(begin))
	}
	for i := range took {
		slices.Sort(took[i])
	}
	embedded, served, hashing := took[0][starts/2], took[1][starts/2], took[2][starts/2]
	fmt.Printf("start: %v with the embedded corpus, %v with the file, whose hashing takes %v on one core\n",
		embedded.Round(time.Microsecond), served.Round(time.Microsecond), hashing.Round(time.Microsecond))
	fmt.Printf("the file costs %.2f times its hashing; the bar is 1.25\n", float64(served-embedded)/float64(hashing))

	s, err := start(command)
	if err != nil {
		return err
	}
	version, err := onlyVersion(docpin, file)
	if err != nil {
		return err
	}
	for i := range 2000 {
		if _, err := s.call(request{queries[i%len(queries)], version, 10}); err != nil {
			return err
		}
	}
	if kb, ok := residentKB(s.cmd.Process.Pid); ok {
		fmt.Printf("memory after 2000 searches: the file and %.1f MiB; the bar is 24 MiB\n", float64(kb<<10-len(data))/(1<<20))
	}
	if err := s.stop(); err != nil {
		return err
	}

	dir, err := os.MkdirTemp("", "docpin-bench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	printHeader()
	for _, k := range []int{2, 10} {
		for _, query := range queries {
			reply := filepath.Join(dir, "reply.json")
			r := request{query, version, k}
			if err := saveReply(command, r, reply); err != nil {
				return err
			}
			if err := measureCalls(command, []string{self, "noop", reply}, r); err != nil {
				return err
			}
		}
	}
	return nil
}

// queries are of a rare and a common term and of several.
var queries = []string{"asyncio.gather", "text", "how to read a file line by line", "open file mode encoding"}

// onlyVersion returns the version of the one library in a snapshot.
func onlyVersion(docpin, file string) (string, error) {
	out, err := exec.Command(docpin, "corpus", "list", "--corpus", file).Output()
	if err != nil {
		return "", err
	}
	if f := strings.Fields(string(out)); len(f) > 1 {
		return f[1], nil
	}
	return "", fmt.Errorf("snapshot %q lists no document", file)
}
