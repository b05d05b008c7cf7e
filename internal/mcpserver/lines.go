package mcpserver

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"runtime"
)

// MaxMessageBytes is the longest message in bytes, its line end not counted. A longer line is refused and
// skipped.
const MaxMessageBytes = 1 << 20

// readBufferBytes is how much input is read at once.
const readBufferBytes = 64 << 10

// A line is one line of input, or the reason why there are no more.
type line struct {
	text    []byte // without its end; not shared
	tooLong bool   // text is nil
	err     error  // nothing else is set; io.EOF at the end of the input
}

// readLines delivers the lines of in that are not blank, and last the error that ended it. It gives up when
// done is closed, but not while it waits for input: there is no portable way to interrupt that.
func readLines(in io.Reader, lines chan<- line, done <-chan struct{}) {
	r := bufio.NewReaderSize(in, readBufferBytes)
	for {
		if r.Buffered() == 0 {
			// Reading standard input blocks a thread. Yielding first lets the call that was just delivered
			// run on this one; waking another takes a third of a call's round trip.
			runtime.Gosched()
		}
		l, err := readLine(r)
		if l.tooLong || len(bytes.Trim(l.text, " \t\r")) > 0 {
			select {
			case lines <- l:
			case <-done:
				return
			}
		}
		if err != nil {
			select {
			case lines <- line{err: err}:
			case <-done:
			}
			return
		}
	}
}

// readLine reads one line. What stands before the end of the input is a line too; what stands before a
// fault is not.
func readLine(r *bufio.Reader) (line, error) {
	var l line
	for {
		part, err := r.ReadSlice('\n')
		if err == nil {
			part = part[:len(part)-1]
		}
		switch {
		case l.tooLong:
		case len(l.text)+len(part) > MaxMessageBytes:
			l = line{tooLong: true}
		default:
			l.text = append(l.text, part...)
		}
		switch {
		case err == nil:
			return l, nil
		case errors.Is(err, io.EOF):
			return l, io.EOF
		case !errors.Is(err, bufio.ErrBufferFull):
			return line{}, err
		}
	}
}
