package strict_test

import (
	"bytes"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"docpin/internal/digest"

	"github.com/go-json-experiment/json/jsontext"
)

// reference is the canonical form that jsontext makes. It lives here because only this package imports jsontext.
func reference(text []byte) ([]byte, error) {
	v := jsontext.Value(bytes.Clone(text))
	err := v.Canonicalize(jsontext.CanonicalizeRawFloats(true), jsontext.CanonicalizeRawInts(true))
	return v, err
}

// jsonWriter makes random JSON texts, some of them broken.
type jsonWriter struct {
	*rand.Rand
	out []byte
}

func (w *jsonWriter) value(depth int) {
	kind := w.IntN(8)
	if depth == 0 {
		kind %= 5
	}
	switch kind {
	case 0:
		w.out = append(w.out, []string{"null", "true", "false"}[w.IntN(3)]...)
	case 1, 2:
		w.number()
	case 3, 4:
		w.str()
	case 5:
		w.out = append(w.out, '[')
		for i := range w.IntN(4) {
			if i > 0 {
				w.out = append(w.out, ',')
			}
			w.value(depth - 1)
		}
		w.out = append(w.out, ']')
	default:
		w.out = append(w.out, '{')
		for i := range w.IntN(6) {
			if i > 0 {
				w.out = append(w.out, ", "...)
			}
			w.str()
			w.out = append(w.out, ": "...)
			w.value(depth - 1)
		}
		w.out = append(w.out, '}')
	}
}

func (w *jsonWriter) number() {
	switch w.IntN(3) {
	case 0:
		w.out = strconv.AppendInt(w.out, w.Int64N(1<<54)-1<<53, 10)
	case 1:
		w.out = strconv.AppendFloat(w.out, w.NormFloat64(), 'e', w.IntN(20), 64)
	default:
		w.out = strconv.AppendInt(w.out, int64(w.IntN(100)), 10)
		w.out = append(w.out, '.')
		w.out = strconv.AppendInt(w.out, int64(w.IntN(1000)), 10)
		w.out = append(w.out, 'E')
		w.out = strconv.AppendInt(w.out, int64(w.IntN(60)-30), 10)
	}
}

func (w *jsonWriter) str() {
	pieces := []string{"a", "b", "z", "é", "\u20ac", "\ud7ff", "\ue000", "\ufb33", "\U00010000", "😀", `\n`, `\u0000`, `\u001f`, `\"`, `\\`, `\/`, `\ud83d\ude00`, `\u00e9`, "\u2028", "<", "\u007f"}
	w.out = append(w.out, '"')
	for range w.IntN(3) {
		w.out = append(w.out, pieces[w.IntN(len(pieces))]...)
	}
	w.out = append(w.out, '"')
}

func TestCanonicalAgainstJSONText(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	accepted := 0
	for range 20_000 {
		w := jsonWriter{Rand: random}
		w.value(4)
		text := w.out
		if random.IntN(4) == 0 { // one byte changed: most often no JSON any more
			const bytes = " \"\\{}[]:,0-.eu\xc3\x80"
			text[random.IntN(len(text))] = bytes[random.IntN(len(bytes))]
		}
		accepted += compareCanonical(t, text)
	}
	if accepted < 10_000 {
		t.Errorf("only %d texts were JSON; the test has lost its point", accepted)
	}
}

func compareCanonical(t *testing.T, text []byte) int {
	t.Helper()
	got, err := digest.Canonical(text)
	if err != nil && strings.Contains(err.Error(), "beyond float64") {
		return 0 // jsontext takes the nearest float64 instead
	}
	want, wantErr := reference(text)
	if (err == nil) != (wantErr == nil) {
		t.Fatalf("Canonical(%q): %v, jsontext: %v", text, err, wantErr)
	}
	if err != nil {
		return 0
	}
	if !bytes.Equal(got, want) {
		t.Fatalf("Canonical(%q) = %s, jsontext: %s", text, got, want)
	}
	return 1
}

func FuzzCanonicalAgainstJSONText(f *testing.F) {
	for _, seed := range []string{`{"b":1,"a":[true,null,1.50e2]}`, `"\ud83d\ude00"`, `{"\ue000":1,"\ud800\udc00":2}`, "-0.0", `{"a":1,"\u0061":1}`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		if bytes.Count(text, []byte("["))+bytes.Count(text, []byte("{")) > digest.MaxDepth {
			return // jsontext goes deeper
		}
		compareCanonical(t, text)
	})
}
