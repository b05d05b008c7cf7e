package markdown

import (
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
)

// strike parses ~~struck out~~ text of GitHub as emphasis, since only the text inside counts here. The extension
// package of goldmark does the same, but compiles expressions for all its extensions whenever docpin starts.
type strike struct{}

func (strike) Trigger() []byte { return []byte{'~'} }

func (strike) Parse(_ ast.Node, block text.Reader, pc parser.Context) ast.Node {
	before := block.PrecendingCharacter()
	line, at := block.PeekLine()
	run := parser.ScanDelimiter(line, before, 1, strike{})
	if run == nil || run.OriginalLength > 2 || before == '~' {
		return nil
	}
	run.Segment = at.WithStop(at.Start + run.OriginalLength)
	block.Advance(run.OriginalLength)
	pc.PushDelimiter(run)
	return run
}

// The rest is the [parser.DelimiterProcessor] of the runs.

func (strike) IsDelimiter(b byte) bool                        { return b == '~' }
func (strike) CanOpenCloser(open, end *parser.Delimiter) bool { return open.Char == end.Char }
func (strike) OnMatch(int) ast.Node                           { return ast.NewEmphasis(1) }
