// Package receipts remembers which searches a server has answered and which read tokens it issued, so that reads can
// be held to exactly those. Since a corpus never changes, a receipt holds what is needed to make the answer again, not
// the answer.
package receipts

import (
	"container/list"
	"sync"

	"docpin/gen"
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

// Receipt records one answered search.
type Receipt struct {
	SearchRequestID digest.Sum
	Arguments       gen.SearchDocumentationArguments
	Issued          []Issued
}

// The approximate cost in bytes of what the store keeps for a receipt and for one issued token: the structs, the list
// element and the map entries.
const (
	receiptBytes = 320
	issuedBytes  = 160
)

func (r *Receipt) bytes() int {
	n := receiptBytes + len(r.Arguments.Query) + len(r.Arguments.Version) + len(r.Issued)*issuedBytes
	if r.Arguments.Library != nil {
		n += len(*r.Arguments.Library)
	}
	return n
}

// Store is a bounded set of receipts. When a bound is passed, the receipts that were used least recently are
// forgotten. It is safe for concurrent use.
type Store struct {
	maxReceipts, maxBytes int

	mu      sync.Mutex
	byID    map[digest.Sum]*list.Element // of *Receipt
	byToken map[digest.Sum]*list.Element
	recent  *list.List // most recently used first
	bytes   int
}

// New returns an empty store that holds at most maxReceipts receipts and about maxBytes bytes.
func New(maxReceipts, maxBytes int) *Store {
	return &Store{
		maxReceipts: maxReceipts, maxBytes: maxBytes,
		byID: map[digest.Sum]*list.Element{}, byToken: map[digest.Sum]*list.Element{}, recent: list.New(),
	}
}

// Put records r, whose slices the store then owns. Repeating a search renews its receipt.
func (s *Store) Put(r Receipt) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if e, ok := s.byID[r.SearchRequestID]; ok {
		s.recent.MoveToFront(e)
		return
	}
	e := s.recent.PushFront(&r)
	s.byID[r.SearchRequestID] = e
	for _, i := range r.Issued {
		s.byToken[i.Token] = e
	}
	s.bytes += r.bytes()
	for s.recent.Len() > 1 && (s.recent.Len() > s.maxReceipts || s.bytes > s.maxBytes) {
		s.forget(s.recent.Back())
	}
}

func (s *Store) forget(e *list.Element) {
	r := s.recent.Remove(e).(*Receipt)
	delete(s.byID, r.SearchRequestID)
	for _, i := range r.Issued {
		delete(s.byToken, i.Token)
	}
	s.bytes -= r.bytes()
}

// ByRequest returns the receipt of a search, if it is live. Callers must not change it.
func (s *Store) ByRequest(searchRequestID digest.Sum) (*Receipt, bool) {
	return s.use(s.byID, searchRequestID)
}

// ByToken returns the live receipt that a token was issued with. Callers must not change it.
func (s *Store) ByToken(token digest.Sum) (*Receipt, bool) {
	return s.use(s.byToken, token)
}

func (s *Store) use(m map[digest.Sum]*list.Element, key digest.Sum) (*Receipt, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	e, ok := m[key]
	if !ok {
		return nil, false
	}
	s.recent.MoveToFront(e)
	return e.Value.(*Receipt), true
}

// Len returns how many receipts are live.
func (s *Store) Len() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.recent.Len()
}
