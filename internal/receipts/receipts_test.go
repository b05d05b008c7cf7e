package receipts_test

import (
	"fmt"
	"strings"
	"sync"
	"testing"

	"docpin/gen"
	"docpin/internal/digest"
	"docpin/internal/receipts"
)

func id(name string, i int) digest.Sum { return digest.Of(fmt.Appendf(nil, "%s %d", name, i)) }

func receipt(i, tokens int) receipts.Receipt {
	r := receipts.Receipt{SearchRequestID: id("search", i), Arguments: gen.SearchDocumentationArguments{Query: "q", Version: "1"}}
	for k := range tokens {
		r.Issued = append(r.Issued, receipts.Issued{Token: id("token", i*100+k), Passage: uint32(k), Rank: k + 1})
	}
	return r
}

func TestStore(t *testing.T) {
	s := receipts.New(2, 1<<20)
	for i := range 2 {
		s.Put(receipt(i, 2))
	}
	if r, ok := s.ByToken(id("token", 1)); !ok || r.SearchRequestID != id("search", 0) {
		t.Errorf("ByToken found %v, %v; want the first receipt", r, ok)
	}
	s.Put(receipt(2, 2)) // receipt 1 was used least recently
	if _, ok := s.ByRequest(id("search", 1)); ok {
		t.Error("receipt 1 is live, want it forgotten")
	}
	if _, ok := s.ByToken(id("token", 100)); ok {
		t.Error("a token of receipt 1 is live, want it forgotten")
	}
	for _, i := range []int{0, 2} {
		if _, ok := s.ByRequest(id("search", i)); !ok {
			t.Errorf("receipt %d is forgotten, want it live", i)
		}
	}
}

// Repeating a search renews its receipt and does not count it twice.
func TestStoreRepeat(t *testing.T) {
	s := receipts.New(2, 1<<20)
	s.Put(receipt(0, 1))
	s.Put(receipt(1, 1))
	s.Put(receipt(0, 1))
	s.Put(receipt(2, 1))
	if _, ok := s.ByRequest(id("search", 0)); !ok || s.Len() != 2 {
		t.Errorf("receipt 0 live: %v, %d receipts; want it live and 2 receipts", ok, s.Len())
	}
}

func TestStoreBytes(t *testing.T) {
	s := receipts.New(1000, 20_000)
	for i := range 1000 {
		r := receipt(i, 10)
		r.Arguments.Query = gen.Query(strings.Repeat("x", 500))
		s.Put(r)
	}
	if n := s.Len(); n < 2 || n > 15 {
		t.Errorf("%d receipts of about 2,400 bytes live within 20,000 bytes, want 2 to 15", n)
	}
	s.Put(receipt(5000, 200)) // alone above the bound: the latest receipt is kept all the same
	if _, ok := s.ByRequest(id("search", 5000)); !ok {
		t.Error("the latest receipt is forgotten")
	}
}

func TestStoreConcurrent(t *testing.T) {
	s := receipts.New(50, 1<<20)
	var wg sync.WaitGroup
	for g := range 8 {
		wg.Go(func() {
			for i := range 200 {
				s.Put(receipt(i*8+g, 3))
				s.ByToken(id("token", i))
				s.ByRequest(id("search", i))
			}
		})
	}
	wg.Wait()
	if s.Len() != 50 {
		t.Errorf("%d receipts live, want 50", s.Len())
	}
}
