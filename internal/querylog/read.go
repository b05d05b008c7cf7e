package querylog

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"

	"docpin/gen"
)

// maxLine is the longest line that is read, in bytes: more than any event has.
const maxLine = 64 << 10

// ReadFile reads the log at path. It returns whether its last line is torn, which it leaves out; any other line that is
// no event is an error that names it.
func ReadFile(path string) (events []gen.SearchEvent, torn bool, err error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, false, err
	}
	defer f.Close()
	r := bufio.NewReaderSize(f, maxLine)
	for n := 1; ; n++ {
		line, err := r.ReadSlice('\n')
		switch {
		case errors.Is(err, io.EOF):
			return events, len(line) > 0, nil
		case errors.Is(err, bufio.ErrBufferFull):
			return nil, false, fmt.Errorf("query log %q: line %d is longer than %d bytes", path, n, maxLine)
		case err != nil:
			return nil, false, err
		}
		e, err := gen.DecodeSearchEvent(line[:len(line)-1])
		if err != nil {
			return nil, false, fmt.Errorf("query log %q: line %d: %w", path, n, err)
		}
		events = append(events, e)
	}
}
