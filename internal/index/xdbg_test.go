package index

import (
	"fmt"
	"os"
	"syscall"
	"testing"
)

func TestXDbg(t *testing.T) {
	f, _ := os.Open("/tmp/million.idx")
	st, _ := f.Stat()
	data, _ := syscall.Mmap(int(f.Fd()), 0, int(st.Size()), syscall.PROT_READ, syscall.MAP_SHARED)
	x, err := Open(data, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, q := range []string{"it", "CPack", "v8.4.0", "session.userId"} {
		s := new(search)
		s.k, s.need = 10, 1
		if err := s.plan(x, q); err != nil {
			t.Fatal(err)
		}
		if err := s.run(); err != nil {
			t.Fatal(err)
		}
		fmt.Printf("%q need %.1f groups %d\n", q, float64(s.need)/(1<<28), s.groups)
		for i := range s.sources {
			c := &s.sources[i]
			fmt.Printf("   %q %v df %d mult %.2f top %.3f  max %.2f\n", c.key, c.role, c.List.Count, float64(c.mult)/65536, float64(c.Top)/4096, float64(c.mult)*float64(c.Top)/(1<<28))
		}
		n := 0
		for r := range s.tallies {
			if len(s.bounds) > 0 && s.total(s.tallies[r]) >= s.need {
				n++
			}
		}
		fmt.Println("ranges", n, len(s.tallies))
		for _, h := range s.hits[:3] {
			fmt.Printf("  hit %.1f\n", float64(h.Score)/(1<<28))
		}
	}
}
