package ingest

import (
	"cmp"
	"context"
	"runtime"
	"slices"
	"sync"
)

// An outcome is what became of a unit.
type outcome struct {
	unit   int
	parsed []parsedFile
	files  []File
}

// readAll reads units in parallel and gives what becomes of each to take, in their order, as soon as it is there. After
// an error of take, which it returns, and when ctx ends, the rest is not read.
func (r *reader) readAll(ctx context.Context, units []unit, take func(outcome) error) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	workers := min(runtime.GOMAXPROCS(0), len(units))
	q := newQueue(len(units), inFlight*workers, r.large(units))
	defer context.AfterFunc(ctx, q.stop)()
	read := make(chan outcome)
	var wg sync.WaitGroup
	for range workers {
		wg.Go(func() {
			for i, ok := q.next(); ok; i, ok = q.next() {
				parsed, files := r.read(units[i])
				read <- outcome{i, parsed, files}
			}
		})
	}
	go func() {
		wg.Wait()
		close(read)
	}()
	early := map[int]outcome{} // those before which others are still to come
	taken, done := 0, 0
	var err error
	for o := range read {
		early[o.unit] = o
		for err == nil && ctx.Err() == nil {
			first, ok := early[taken]
			if !ok {
				break
			}
			delete(early, taken)
			if err = take(first); err != nil {
				cancel()
			}
			taken++
			q.advance(taken)
		}
		if done++; r.options.Progress != nil && ctx.Err() == nil {
			r.options.Progress(done, len(units))
		}
	}
	return err
}

// inFlight is how many units each processor may have read beyond the first that is not taken yet: enough that none waits
// for a page that takes long, and few enough that their texts are little memory.
const inFlight = 8

// A few large pages are read before their turn: then no processor is left alone with one at the end, and the page that
// takes the most memory is read while there is nothing else in it.
const (
	largeBytes = 512 << 10
	maxLarge   = 4
)

// large returns the units that are read before their turn, largest first.
func (r *reader) large(units []unit) []int {
	type sized struct {
		unit int
		size int64
	}
	var large []sized
	for i, u := range units {
		if info, err := r.root.Lstat(u.files[0]); err == nil && info.Size() > largeBytes {
			large = append(large, sized{i, info.Size()})
		}
	}
	slices.SortStableFunc(large, func(a, b sized) int { return cmp.Compare(b.size, a.size) })
	var out []int
	for _, s := range large[:min(len(large), maxLarge)] {
		out = append(out, s.unit)
	}
	return out
}

// queue hands out the numbers below n: some first, then the others in order, but none that is window or more above the
// first that is not taken.
type queue struct {
	mu      sync.Mutex
	changed sync.Cond
	n       int
	first   []int
	early   map[int]bool // those that were first
	inTurn  int          // least number that may be handed out
	limit   int
	window  int
	stopped bool
}

func newQueue(n, window int, first []int) *queue {
	q := &queue{n: n, first: first, early: map[int]bool{}, limit: window, window: window}
	q.changed.L = &q.mu
	for _, i := range first {
		q.early[i] = true
	}
	return q
}

// next returns a number, once there is one that may be handed out; false if there is none left.
func (q *queue) next() (int, bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for {
		if q.stopped {
			return 0, false
		}
		if len(q.first) > 0 {
			i := q.first[0]
			q.first = q.first[1:]
			return i, true
		}
		for q.early[q.inTurn] {
			q.inTurn++
		}
		if q.inTurn >= q.n {
			return 0, false
		}
		if q.inTurn < q.limit {
			q.inTurn++
			return q.inTurn - 1, true
		}
		q.changed.Wait()
	}
}

// advance says how many are taken, from the first on.
func (q *queue) advance(taken int) {
	q.mu.Lock()
	q.limit = taken + q.window
	q.mu.Unlock()
	q.changed.Broadcast()
}

// stop ends the numbers.
func (q *queue) stop() {
	q.mu.Lock()
	q.stopped = true
	q.mu.Unlock()
	q.changed.Broadcast()
}
