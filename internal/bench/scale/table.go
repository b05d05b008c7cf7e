package main

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"time"
)

// table prints figures as they come, each beside the bar that it must not miss, if there is one.
type table struct {
	out    io.Writer
	missed int
}

// row prints one figure without a bar.
func (t *table) row(what, figure string) { t.print(what, figure, "", "") }

// bar prints one figure and whether it holds.
func (t *table) bar(what, figure, bar string, holds bool) {
	verdict := "ok"
	if !holds {
		verdict = "MISSED"
		t.missed++
	}
	t.print(what, figure, bar, verdict)
}

func (t *table) print(what, figure, bar, verdict string) {
	fmt.Fprintf(t.out, "%-34s %-58s %-12s %s\n", what, figure, bar, verdict)
}

// atMost prints times with the p99 that they must keep; none is no bar.
func (t *table) atMost(what string, times []time.Duration, p99 time.Duration) {
	slices.Sort(times)
	figure := fmt.Sprintf("p50 %v, p90 %v, p99 %v, slowest %v", at(times, .5), at(times, .9), at(times, .99), at(times, 1))
	if p99 == none {
		t.row(what, figure)
		return
	}
	t.bar(what, figure, fmt.Sprintf("p99 %v", p99), at(times, .99) <= p99)
}

const none = time.Duration(0)

// at returns the quantile of sorted times.
func at(times []time.Duration, share float64) time.Duration {
	return times[int(share*float64(len(times)-1))].Round(100 * time.Nanosecond)
}

// err reports missed bars.
func (t *table) err() error {
	if t.missed > 0 {
		return errors.New(fmt.Sprint(t.missed, " bars are missed"))
	}
	return nil
}
