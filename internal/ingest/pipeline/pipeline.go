// Package pipeline does numbered pieces of work on all processors and hands over what they give in the order of the
// numbers, with few of them waiting for their turn.
package pipeline

import (
	"context"
	"runtime"
	"sync"
)

// window is how many pieces each processor may have done beyond the first that is not taken yet: enough that none waits
// for a piece that takes long, and few enough that what they give is little memory.
const window = 8

// Run does the pieces below n and gives each result to take, in order, as soon as it is there. The pieces in first, of
// which there should be few, come out of turn: large ones, so that no processor is left alone with one at the end. After
// an error of take, which Run returns, and when ctx ends, no more are begun. done, if not nil, is called with the number
// of pieces done so far. Calls of take and done never overlap.
func Run[T any](ctx context.Context, n int, first []int, do func(i int) T, take func(T) error, done func(int)) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	workers := min(runtime.GOMAXPROCS(0), n)
	q := newQueue(n, window*workers, first)
	defer context.AfterFunc(ctx, q.stop)()
	type result struct {
		i     int
		value T
	}
	results := make(chan result)
	var wg sync.WaitGroup
	for range workers {
		wg.Go(func() {
			for i, ok := q.next(); ok; i, ok = q.next() {
				results <- result{i, do(i)}
			}
		})
	}
	go func() {
		wg.Wait()
		close(results)
	}()
	early := map[int]T{} // those before which others are still to come
	taken, count := 0, 0
	var err error
	for r := range results {
		early[r.i] = r.value
		for err == nil && ctx.Err() == nil {
			next, ok := early[taken]
			if !ok {
				break
			}
			delete(early, taken)
			if err = take(next); err != nil {
				cancel()
			}
			taken++
			q.advance(taken)
		}
		if count++; done != nil && ctx.Err() == nil {
			done(count)
		}
	}
	return err
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
