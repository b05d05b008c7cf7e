package querylog

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"

	"docpin/gen"
)

// Events is what a log holds.
type Events struct {
	List []gen.SearchEvent
	Torn bool  // the last line is torn, and left out
	Bad  int   // other lines that are no events, and left out
	Why  error // names the first of them
}

// ReadFile reads the log at path.
func ReadFile(path string) (Events, error) {
	f, err := os.Open(path)
	if err != nil {
		return Events{}, err
	}
	defer f.Close()
	var all Events
	r := bufio.NewReaderSize(f, maxLine)
	for n := 1; ; n++ {
		line, err := r.ReadSlice('\n')
		for skipped := line; errors.Is(err, bufio.ErrBufferFull); {
			skipped, err = r.ReadSlice('\n')
			line = append(line[:0:0], skipped...)
		}
		if errors.Is(err, io.EOF) {
			all.Torn = len(line) > 0
			return all, nil
		}
		if err != nil {
			return Events{}, err
		}
		e, err := gen.DecodeSearchEvent(line[:len(line)-1])
		if err == nil {
			all.List = append(all.List, e)
			continue
		}
		if all.Bad++; all.Why == nil {
			all.Why = fmt.Errorf("line %d: %w", n, err)
		}
	}
}
