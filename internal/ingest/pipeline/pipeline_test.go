package pipeline_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"docpin/internal/ingest/pipeline"
)

func TestRun(t *testing.T) {
	for _, n := range []int{0, 1, 7, 500} {
		for _, first := range [][]int{nil, {0}, {n - 1}, {n / 2, n - 1, 0}} {
			if n < 2 {
				first = nil
			}
			var got []int
			counted := 0
			err := pipeline.Run(t.Context(), n, slices.Compact(slices.Clone(first)), func(i int) int {
				if rand.IntN(50) == 0 {
					time.Sleep(time.Millisecond)
				}
				return i
			}, func(i int) error { got = append(got, i); return nil }, func(int) { counted++ })
			if err != nil || len(got) != n || counted != n || !slices.IsSorted(got) {
				t.Errorf("%d pieces, %v first: took %v, counted %d, error %v", n, first, got, counted, err)
			}
		}
	}
}

// While the first piece is not done, few others are begun.
func TestRunBounded(t *testing.T) {
	var begun atomic.Int64
	release := make(chan bool)
	go func() {
		time.Sleep(20 * time.Millisecond)
		close(release)
	}()
	most := int64(0)
	err := pipeline.Run(t.Context(), 10000, []int{9999}, func(i int) int {
		begun.Add(1)
		if i == 0 {
			<-release
			most = begun.Load()
		}
		return i
	}, func(int) error { return nil }, nil)
	if err != nil || most > 2000 {
		t.Errorf("%d pieces were begun before the first was done, error %v", most, err)
	}
}

func TestRunEnds(t *testing.T) {
	sentinel := errors.New("enough")
	taken := 0
	err := pipeline.Run(t.Context(), 10000, nil, func(i int) int { return i }, func(i int) error {
		if taken++; i == 5 {
			return sentinel
		}
		return nil
	}, nil)
	if err != sentinel || taken != 6 {
		t.Errorf("took %d, error %v; want 6 and the error of take", taken, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	var begun atomic.Int64
	err = pipeline.Run(ctx, 100000, nil, func(i int) int {
		if begun.Add(1) == 10 {
			cancel()
		}
		return i
	}, func(int) error { return nil }, nil)
	if err != nil || begun.Load() > 50000 {
		t.Errorf("%d pieces were begun after the context had ended, error %v", begun.Load(), err)
	}
}
