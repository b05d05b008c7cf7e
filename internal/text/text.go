// Package text turns text into search terms, in the same way for indexing and for queries.
//
// Terms are folded: Unicode NFC, then simple case folding, never by locale. The text itself is not changed.
// What counts as a term:
//
//   - A word is a run of letters, marks and digits. Every word has the next position.
//   - Words that are joined as identifiers are joined (os.path.join, std::vector, a->b, --dry-run, gate_lock,
//     $HOME, @scope/name, C++) are a chain: it gives its whole spelling, its tails (path.join, dry-run), its
//     words, and the parts of each word (maxRetry: max, retry).
//   - Scripts written without spaces (Chinese, Japanese, Korean, Thai, Lao, Khmer, Burmese) give pairs of
//     neighbouring characters, so that a word is found inside running text, and each single character.
//   - An emoji is a term without its selectors. One of several that are joined is a term, and each of them; a flag of
//     two regional indicators or of tags is one term.
//
// A Markdown escape and invisible characters leave no trace.
//
// Marks and punctuation by themselves are no terms, and no word is too short or too common to be one.
package text

// MaxTerm is the longest term in bytes after folding. A word or chain that is longer gives no term of its own
// (the words of a long chain still do). It is above what a literal of a query can hold: 64 characters.
const MaxTerm = 256

// maxLinks is the most components of a chain; a longer one goes on as another chain.
const maxLinks = 12

// Class says how a term stands to the text it came from.
type Class uint8

const (
	// Word is a run of letters and digits as written, with a position of its own.
	Word Class = iota
	// Gram is a pair of neighbours in a script without spaces, or an emoji, with a position of its own.
	Gram
	// Whole is a chain as written. Its position is that of its first word.
	Whole
	// Tail is the end of a chain from one of its components on, or the chain without its sigil.
	Tail
	// Part is a piece of a word (camelCase), an inner component of a chain, or one character of a script
	// without spaces. Its position is that of the word it is found in.
	Part
)

func (c Class) String() string {
	return [...]string{"word", "gram", "whole", "tail", "part"}[c]
}

// Term is one term of a text. Text is valid until the analyzer's next call.
type Term struct {
	Text  []byte
	Class Class
	Pos   int32 // position of its first word
	Span  int32 // positions that it covers, 1 or more
}

// Analyzer finds terms. It keeps its memory between calls. The zero value is ready; not safe for concurrent use.
type Analyzer struct {
	terms []Term
	buf   []byte  // folded text that the terms share
	tmp   []byte  // a word in NFC
	raw   []byte  // a word without ignorable characters
	links []link  // components of the chain at hand
	cuts  []piece // pieces of its words
	units []int   // bounds of the characters of the run at hand
	pos   int32   // of the next word
}

// Terms returns the terms of s in the order of their positions. The result is valid until the next call.
// Invalid UTF-8 separates words.
func (a *Analyzer) Terms(s string) []Term {
	a.terms, a.buf, a.pos = a.terms[:0], a.buf[:0], 0
	for i := 0; i < len(s); {
		switch kind, size := kindAt(s, i); kind {
		case letter, digit, underscore, sigil:
			if end := plainWord(s, i); end > i {
				a.plain(s[i:end])
				i = end
				break
			}
			i = a.chain(s, i)
		case unspaced:
			i = a.unspaced(s, i)
		case emoji:
			i = a.emoji(s, i)
		default:
			i += size
		}
	}
	return a.terms
}

// Words returns the number of positions that the last call of Terms gave out.
func (a *Analyzer) Words() int { return int(a.pos) }

// emit adds buf[start:end] as a term.
func (a *Analyzer) emit(start, end int, class Class, pos, span int32) {
	if start < end && end-start <= MaxTerm {
		a.terms = append(a.terms, Term{Text: a.buf[start:end:end], Class: class, Pos: pos, Span: span})
	}
}
