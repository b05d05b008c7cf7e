package receipts_test

import (
	"fmt"
	"sync"
	"testing"

	"docpin/internal/digest"
	"docpin/internal/receipts"
)

func id(name string, i int) digest.Sum { return digest.Of(fmt.Appendf(nil, "%s %d", name, i)) }

// put issues so many tokens, numbered from i*100, with search i.
func put(s *receipts.Store, i, tokens int) {
	var issued []receipts.Issued
	for k := range tokens {
		issued = append(issued, receipts.Issued{Token: id("token", i*100+k), Passage: uint32(k), Rank: k + 1})
	}
	s.Put(id("search", i), issued)
}

func liveSearch(s *receipts.Store, i int) bool {
	live, _ := s.Live(id("search", i))
	return live
}

func live(s *receipts.Store, token int) bool {
	_, _, ok := s.Find(id("token", token))
	return ok
}

func TestStore(t *testing.T) {
	s := receipts.New(2, 1<<20)
	put(s, 0, 2)
	put(s, 1, 2)
	if search, issued, ok := s.Find(id("token", 1)); !ok || search != id("search", 0) || issued.Rank != 2 {
		t.Errorf("Find found %v, %v, %v; want rank 2 of the first search", search, issued, ok)
	}
	put(s, 2, 2) // receipt 1 was used least recently
	if liveSearch(s, 1) || live(s, 100) {
		t.Error("receipt 1 or its token is live, want them forgotten")
	}
	if !liveSearch(s, 0) || !liveSearch(s, 2) {
		t.Error("receipt 0 or 2 is forgotten, want them live")
	}
}

// Repeating a search renews its receipt and does not count it twice.
func TestStoreRepeat(t *testing.T) {
	s := receipts.New(2, 1<<20)
	put(s, 0, 1)
	put(s, 1, 1)
	put(s, 0, 1)
	put(s, 2, 1)
	if !liveSearch(s, 0) || s.Len() != 2 {
		t.Errorf("receipt 0 live: %v, %d receipts; want it live and 2 receipts", liveSearch(s, 0), s.Len())
	}
}

// Tokens that are issued later belong to the receipt of their search.
func TestStoreAdds(t *testing.T) {
	s := receipts.New(2, 1<<20)
	put(s, 0, 1)
	put(s, 0, 3)
	if !live(s, 0) || !live(s, 2) || s.Len() != 1 {
		t.Error("a token is not live, want all of both calls in one receipt")
	}
}

func TestStoreBytes(t *testing.T) {
	s := receipts.New(1000, 20_000)
	for i := range 1000 {
		put(s, i, 10)
	}
	if n := s.Len(); n < 2 || n > 12 {
		t.Errorf("%d receipts of about 2,200 bytes live within 20,000 bytes, want 2 to 12", n)
	}
	put(s, 5000, 200) // alone above the bound: the latest receipt is kept whole all the same
	if !live(s, 500_000) || !live(s, 500_199) || s.Len() != 1 {
		t.Error("the latest receipt is not whole")
	}
	for i := range 1000 { // one after the other, as in reading on
		s.Put(id("search", 5000), []receipts.Issued{{Token: id("next", i)}})
	}
	if _, whole := s.Live(id("search", 5000)); whole {
		t.Error("the receipt is whole, want it to say that tokens are lost")
	}
	put(s, 5000, 70) // repeating the search renews its tokens
	for i := range 70 {
		if !live(s, 500_000+i) {
			t.Fatalf("token %d of the repeated search is forgotten", i)
		}
	}
	for i := range 1000 {
		s.Put(id("search", 5000), []receipts.Issued{{Token: id("next", i)}})
	}
	if live(s, 500_000) {
		t.Error("the first token is live after a thousand more, want it forgotten")
	}
	if _, _, ok := s.Find(id("next", 999)); !ok {
		t.Error("the latest token is forgotten")
	}
}

func TestStoreConcurrent(t *testing.T) {
	s := receipts.New(50, 1<<20)
	var wg sync.WaitGroup
	for g := range 8 {
		wg.Go(func() {
			for i := range 200 {
				put(s, i*8+g, 3)
				s.Find(id("token", i))
				liveSearch(s, i)
			}
		})
	}
	wg.Wait()
	if s.Len() != 50 {
		t.Errorf("%d receipts live, want 50", s.Len())
	}
}
