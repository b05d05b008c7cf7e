package index

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"docpin/internal/index/postings"
)

// manyPassages returns more text than is gathered in memory, with words that go on and words that come once.
func manyPassages() []Passage {
	var all []Passage
	for i := range 1500 {
		var b strings.Builder
		for k := range 60 {
			fmt.Fprintf(&b, "ropes w%dx%d tie.knot_%d %d,\n", i%97, k, i*k%4001, i*60+k)
		}
		all = append(all, Passage{
			Path: fmt.Sprintf("p/%d.md", i/3), Title: "Knots", HeadingPath: []string{fmt.Sprintf("Knot %d ties", i)},
			Anchors: []string{fmt.Sprintf("knot-%d", i)}, Body: b.String(),
		})
	}
	return all
}

// An index that was gathered by way of a scratch, on any number of processors, is the one that was gathered in memory.
func TestScratch(t *testing.T) {
	passages := manyPassages()
	want, err := Build(slices.Values(passages))
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range []int{1, 2, 5} {
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(n))
		f, err := os.Create(filepath.Join(t.TempDir(), "scratch"))
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		var b bytes.Buffer
		head, rest, err := Write(&b, slices.Values(passages), f)
		if err != nil {
			t.Fatal(err)
		}
		if len(head) != postings.HeadSize || int(rest) != b.Len() || !bytes.Equal(append(head, b.Bytes()...), want) {
			t.Errorf("%d processors: %d and %d bytes differ from the %d that are gathered in memory", n, len(head), b.Len(), len(want))
		}
		if info, err := f.Stat(); err != nil || info.Size() < 1<<20 {
			t.Errorf("the scratch holds %d bytes: too few passages to need it", info.Size())
		}
	}
}

// fullDisk is a scratch and an output that take nothing.
type fullDisk struct{}

var errFull = errors.New("disk full")

func (fullDisk) Write([]byte) (int, error)         { return 0, errFull }
func (fullDisk) ReadAt([]byte, int64) (int, error) { return 0, errFull }

func TestFullDisk(t *testing.T) {
	passages := manyPassages()
	if _, _, err := Write(new(bytes.Buffer), slices.Values(passages), fullDisk{}); !errors.Is(err, errFull) {
		t.Errorf("full scratch: error %v", err)
	}
	if _, _, err := Write(fullDisk{}, slices.Values(passages[:3]), nil); !errors.Is(err, errFull) {
		t.Errorf("full output: error %v", err)
	}
}
