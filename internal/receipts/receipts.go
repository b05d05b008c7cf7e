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
	tokens *list.List // of *entry, the one issued last at the end
	lost   bool       // tokens were forgotten
}

// entry is a token and where it was issued.
type entry struct {
	receipt *list.Element // of *receipt
	place   *list.Element // in its tokens
	issued  Issued
}

// The approximate cost in bytes of what the store keeps for a receipt and for one issued token: the structs, the list
// element and the map entries.
const (
	receiptBytes = 320
	issuedBytes  = 256
)

// Store is a bounded set of receipts. When a bound is passed, the receipts that were used least recently are
// forgotten, and of the latest the tokens that were issued first. It is safe for concurrent use.
type Store struct {
	maxReceipts, maxBytes int

	mu       sync.Mutex
	searches map[digest.Sum]*list.Element // of *receipt
	tokens   map[digest.Sum]*entry
	recent   *list.List // most recently used first
	bytes    int
}

// New returns an empty store that holds at most maxReceipts receipts and about maxBytes bytes.
func New(maxReceipts, maxBytes int) *Store {
	return &Store{
		maxReceipts: maxReceipts, maxBytes: maxBytes,
		searches: map[digest.Sum]*list.Element{}, tokens: map[digest.Sum]*entry{}, recent: list.New(),
	}
}

// Put makes the receipt of a search live, or renews it, and adds to it what was issued, or renews that.
func (s *Store) Put(search digest.Sum, issued []Issued) {
	s.mu.Lock()
	defer s.mu.Unlock()
	e, ok := s.searches[search]
	if ok {
		s.recent.MoveToFront(e)
	} else {
		e = s.recent.PushFront(&receipt{search: search, tokens: list.New()})
		s.searches[search] = e
		s.bytes += receiptBytes
	}
	r := e.Value.(*receipt)
	for _, i := range issued {
		if known, ok := s.tokens[i.Token]; ok {
			r.tokens.MoveToBack(known.place)
			continue
		}
		fresh := &entry{receipt: e, issued: i}
		fresh.place = r.tokens.PushBack(fresh)
		s.tokens[i.Token] = fresh
		s.bytes += issuedBytes
	}
	for s.recent.Len() > 1 && (s.recent.Len() > s.maxReceipts || s.bytes > s.maxBytes) {
		s.forget(s.recent.Back())
	}
	// Reading on through documents adds tokens to one receipt without end.
	for s.bytes > s.maxBytes && r.tokens.Len() > len(issued) {
		s.drop(r)
	}
}

func (s *Store) forget(e *list.Element) {
	r := s.recent.Remove(e).(*receipt)
	delete(s.searches, r.search)
	for r.tokens.Len() > 0 {
		s.drop(r)
	}
	s.bytes -= receiptBytes
}

// drop forgets the token of r that was issued longest ago.
func (s *Store) drop(r *receipt) {
	e := r.tokens.Remove(r.tokens.Front()).(*entry)
	delete(s.tokens, e.issued.Token)
	s.bytes -= issuedBytes
	r.lost = true
}

// Live reports whether a search has a receipt, which it uses, and whether that still has every token of the search.
func (s *Store) Live(search digest.Sum) (live, whole bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	e, ok := s.searches[search]
	if !ok {
		return false, false
	}
	s.recent.MoveToFront(e)
	return true, !e.Value.(*receipt).lost
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
