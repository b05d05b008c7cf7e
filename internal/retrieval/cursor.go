package retrieval

import (
	"encoding/base64"
	"encoding/binary"

	"docpin/gen"
	"docpin/internal/digest"
	"docpin/internal/identity"
	"docpin/internal/index"
)

// maxRank is the last rank that a search gives, however many pages it has.
const maxRank = 10000

// cursor is the last hit of a page: the key behind which the next one begins. Score and passage are the key of the
// order, since a passage_id stands for source_id and start line.
type cursor struct {
	first   digest.Sum // search_request_id of the first page, which binds corpus and arguments
	rank    int
	score   int64
	passage digest.Sum // passage_id
}

// cursorBytes is the length of a cursor in bytes before base64 (RFC 4648, URL alphabet, no padding).
const cursorBytes = 32 + 4 + 8 + 32

var cursorEncoding = base64.RawURLEncoding.Strict()

func (c cursor) String() string {
	b := make([]byte, 0, cursorBytes)
	b = append(b, c.first[:]...)
	b = binary.BigEndian.AppendUint32(b, uint32(c.rank))
	b = binary.BigEndian.AppendUint64(b, uint64(c.score))
	return cursorEncoding.EncodeToString(append(b, c.passage[:]...))
}

// parseCursor is the inverse of String, and of nothing else.
func parseCursor(s string) (c cursor, ok bool) {
	b, err := cursorEncoding.DecodeString(s)
	if err != nil || len(b) != cursorBytes || len(s) != cursorEncoding.EncodedLen(cursorBytes) { // the decoder skips line ends
		return cursor{}, false
	}
	c.first = digest.Sum(b[:32])
	c.rank = int(binary.BigEndian.Uint32(b[32:]))
	c.score = int64(binary.BigEndian.Uint64(b[36:]))
	c.passage = digest.Sum(b[44:])
	return c, true
}

// from is where a page begins.
type from struct {
	first digest.Sum // search_request_id of the first page
	rank  int        // of the hit before it; 0 on the first page
	after *hit       // that hit
}

// start returns where the page begins that the arguments ask for. The cursor must name the hit that has its rank, with
// its exact score, in this very search.
func (a *answer) start() (from, error) {
	if a.args.Cursor == nil {
		return from{first: a.search}, nil
	}
	c, ok := parseCursor(*a.args.Cursor)
	if !ok {
		return from{}, invalidCursor("it is no next_cursor of any result")
	}
	args := *a.args
	args.Cursor = nil
	if c.first != identity.SearchRequest(a.corpusID, args) {
		return from{}, invalidCursor("it belongs to another search or another corpus")
	}
	last, err := a.named(c)
	if err != nil {
		return from{}, err
	}
	if last == nil {
		return from{}, invalidCursor("it names no hit of this search")
	}
	return from{first: c.first, rank: c.rank, after: last}, nil
}

// named returns the hit that a cursor names, or nil if its rank, score and passage are not those of a hit.
func (a *answer) named(c cursor) (*hit, error) {
	if c.rank < 1 || c.rank >= maxRank {
		return nil, nil
	}
	h, err := a.hitAt(c.rank)
	if err != nil || h == nil || h.score != c.score {
		return nil, err
	}
	at, err := a.locate(h.passage)
	if err != nil || at.passage.ID != c.passage {
		return nil, err
	}
	return h, nil
}

// hitAt returns the hit at a rank, or nil if there are fewer. It takes time in proportion to the rank.
func (a *answer) hitAt(rank int) (*hit, error) {
	var last *hit
	for rank > 0 {
		want := min(rank, index.MaxResults)
		hits, err := a.rank(a.version, string(a.args.Query), want, last)
		if err != nil {
			return nil, err
		}
		if len(hits) < want {
			return nil, nil
		}
		last = &hits[want-1]
		rank -= want
	}
	return last, nil
}

func invalidCursor(why string) *Refusal {
	return refuse(gen.RefusalCodeInvalidCursor, "/cursor", "repeat the search without cursor and follow its next_cursor",
		"the cursor is not valid here: %s", why)
}
