// Package receipts remembers which searches a server has answered and which read tokens it issued, so that reads can
// be held to exactly those. Since a corpus never changes, a receipt holds what is needed to make the answer again, not
// the answer.
package receipts

import (
	"container/list"
	"sync"

	"docpin/internal/digest"
)

// Default bounds of a [Store].
const (
	DefaultMaxReceipts = 65536
	DefaultMaxBytes    = 64 << 20
)

// Issued is one handle that was handed out.
type Issued struct {
	Token   digest.Sum
	Passage uint32 // number in the corpus
	Rank    int
	Score   int64
}

// receipt records one answered search.
type receipt struct {
	search digest.Sum
	tokens []digest.Sum // in the order of issue
}

// entry is where a token was issued.
type entry struct {
	receipt *list.Element // of *receipt
	issued  Issued
}

// The approximate cost in bytes of what the store keeps for a receipt and for one issued token: the structs, the list
// element and the map entries.
const (
	receiptBytes = 256
	issuedBytes  = 192
)

func (r *receipt) bytes() int { return receiptBytes + len(r.tokens)*issuedBytes }

// Store is a bounded set of receipts. When a bound is passed, the receipts that were used least recently are
// forgotten, and of the latest the tokens that were issued first. It is safe for concurrent use.
type Store struct {
	maxReceipts, maxBytes int

	mu       sync.Mutex
	searches map[digest.Sum]*list.Element // of *receipt
	tokens   map[digest.Sum]entry
	recent   *list.List // most recently used first
	bytes    int
}

// New returns an empty store that holds at most maxReceipts receipts and about maxBytes bytes.
func New(maxReceipts, maxBytes int) *Store {
	return &Store{
		maxReceipts: maxReceipts, maxBytes: maxBytes,
		searches: map[digest.Sum]*list.Element{}, tokens: map[digest.Sum]entry{}, recent: list.New(),
	}
}

// Put makes the receipt of a search live, or renews it, and adds to it what was issued.
func (s *Store) Put(search digest.Sum, issued []Issued) {
	s.mu.Lock()
	defer s.mu.Unlock()
	e, ok := s.searches[search]
	if ok {
		s.recent.MoveToFront(e)
	} else {
		e = s.recent.PushFront(&receipt{search: search})
		s.searches[search] = e
		s.bytes += receiptBytes
	}
	r := e.Value.(*receipt)
	for _, i := range issued {
		if _, ok := s.tokens[i.Token]; !ok {
			s.tokens[i.Token] = entry{e, i}
			r.tokens = append(r.tokens, i.Token)
			s.bytes += issuedBytes
		}
	}
	for s.recent.Len() > 1 && (s.recent.Len() > s.maxReceipts || s.bytes > s.maxBytes) {
		s.forget(s.recent.Back())
	}
	// Reading on through documents adds tokens to one receipt without end. It loses some at once, not one a call.
	if over := (s.bytes - s.maxBytes) / issuedBytes; over > 0 {
		s.drop(r, max(0, min(over+len(r.tokens)/16, len(r.tokens)-len(issued))))
	}
}

func (s *Store) forget(e *list.Element) {
	r := s.recent.Remove(e).(*receipt)
	delete(s.searches, r.search)
	s.drop(r, len(r.tokens))
	s.bytes -= receiptBytes
}

// drop forgets the first n tokens of r.
func (s *Store) drop(r *receipt, n int) {
	for _, t := range r.tokens[:n] {
		delete(s.tokens, t)
	}
	r.tokens = append([]digest.Sum(nil), r.tokens[n:]...)
	s.bytes -= n * issuedBytes
}

// Live reports whether a search has a receipt, and uses it.
func (s *Store) Live(search digest.Sum) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	e, ok := s.searches[search]
	if ok {
		s.recent.MoveToFront(e)
	}
	return ok
}

// Find returns what a live token was issued for, and the search that issued it, whose receipt it uses.
func (s *Store) Find(token digest.Sum) (search digest.Sum, issued Issued, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	e, ok := s.tokens[token]
	if !ok {
		return digest.Sum{}, Issued{}, false
	}
	s.recent.MoveToFront(e.receipt)
	return e.receipt.Value.(*receipt).search, e.issued, true
}

// Len returns how many receipts are live.
func (s *Store) Len() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.recent.Len()
}
