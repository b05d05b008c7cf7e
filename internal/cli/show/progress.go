package show

import (
	"fmt"
	"io"
	"time"
)

// progressEvery is how often progress is shown at most, and how long work must take before any is.
const progressEvery = time.Second / 2

// Progress shows on a terminal how far work has come, its rate and the time that is left.
type Progress struct {
	w           io.Writer // nil if it is no terminal
	start, last time.Time
	shown       bool
}

// NewProgress returns progress that is shown if w is a terminal.
func NewProgress(w io.Writer) *Progress {
	p := &Progress{start: time.Now()}
	if IsTerminal(w) {
		p.w = w
	}
	return p
}

// Update is told the number of files done and to do. A new source begins again at 1.
func (p *Progress) Update(done, total int) {
	now := time.Now()
	if done == 1 {
		p.start = now
	}
	if p.w == nil || now.Sub(p.start) < progressEvery || now.Sub(p.last) < progressEvery {
		return
	}
	p.last, p.shown = now, true
	rate := float64(done) / now.Sub(p.start).Seconds()
	left := time.Duration(float64(total-done) / rate * float64(time.Second))
	fmt.Fprintf(p.w, "\r\x1b[K%d of %d files, %.0f a second, %v left", done, total, rate, left.Round(time.Second))
}

// Done clears the line.
func (p *Progress) Done() {
	if p.shown {
		fmt.Fprint(p.w, "\r\x1b[K")
	}
}
