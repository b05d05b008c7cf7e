package cli_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"docpin/internal/corpus"
)

// A build that is killed at any moment leaves the old corpus or the new one, whole, and nothing for good.
func TestBuildKilled(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	docs, out := filepath.Join(dir, "docs"), filepath.Join(dir, "x.docpin")
	if err := os.Mkdir(docs, 0o700); err != nil {
		t.Fatal(err)
	}
	change := func(round int) {
		t.Helper()
		for i := range 40 {
			text := fmt.Sprintf("# Page %d\n\n%s\n", i, strings.Repeat(fmt.Sprintf("round %d ", round), 50))
			if err := os.WriteFile(filepath.Join(docs, fmt.Sprintf("p%d.md", i)), []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
	build := func() *exec.Cmd {
		cmd := exec.Command(self, "build", "--library", "rope", "--version", "1.0", "-o", out, docs)
		cmd.Env = append(os.Environ(), asDocpin+"=1")
		return cmd
	}
	change(0)
	begin := time.Now()
	if b, err := build().CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, b)
	}
	whole := time.Since(begin)
	random := rand.New(rand.NewPCG(1, 2))
	killed := 0
	for round := 1; round <= 25; round++ {
		change(round)
		cmd := build()
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		timer := time.AfterFunc(time.Duration(random.Int64N(int64(whole*5/4))), func() { cmd.Process.Kill() })
		if cmd.Wait() != nil {
			killed++
		}
		timer.Stop()
		c, err := corpus.OpenFile(out, corpus.FileOptions{})
		if err != nil {
			t.Fatalf("round %d: %v", round, err)
		}
		if _, err := c.Verify(); err != nil {
			t.Fatalf("round %d: %v", round, err)
		}
		if err := c.CheckLock(out); err != nil {
			t.Fatalf("round %d: %v", round, err)
		}
	}
	if b, err := build().CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, b)
	}
	if entries, err := os.ReadDir(dir); err != nil || len(entries) != 3 {
		t.Errorf("after the last build there is %v, want the documentation, the snapshot and its lock; error %v", entries, err)
	}
	if killed == 0 {
		t.Skip("every build ended before it could be killed")
	}
}
