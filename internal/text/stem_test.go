package text_test

import (
	"testing"

	"docpin/internal/text"
)

// The words are the examples of Porter's paper and a few of documentation.
func TestStem(t *testing.T) {
	for _, tt := range []struct{ in, want string }{
		{"caresses", "caress"}, {"ponies", "poni"}, {"ties", "ti"}, {"caress", "caress"}, {"cats", "cat"},
		{"feed", "feed"}, {"agreed", "agre"}, {"plastered", "plaster"}, {"bled", "bled"}, {"motoring", "motor"},
		{"sing", "sing"}, {"conflated", "conflat"}, {"troubled", "troubl"}, {"sized", "size"}, {"hopping", "hop"},
		{"tanned", "tan"}, {"falling", "fall"}, {"hissing", "hiss"}, {"fizzed", "fizz"}, {"failing", "fail"},
		{"filing", "file"}, {"happy", "happi"}, {"sky", "sky"}, {"relational", "relat"}, {"conditional", "condit"},
		{"rational", "ration"}, {"valenci", "valenc"}, {"digitizer", "digit"}, {"conformabli", "conform"},
		{"radicalli", "radic"}, {"differentli", "differ"}, {"vileli", "vile"}, {"analogousli", "analog"},
		{"vietnamization", "vietnam"}, {"predication", "predic"}, {"operator", "oper"}, {"feudalism", "feudal"},
		{"decisiveness", "decis"}, {"hopefulness", "hope"}, {"callousness", "callous"}, {"formaliti", "formal"},
		{"sensitiviti", "sensit"}, {"sensibiliti", "sensibl"}, {"triplicate", "triplic"}, {"formative", "form"},
		{"formalize", "formal"}, {"electriciti", "electr"}, {"electrical", "electr"}, {"goodness", "good"},
		{"revival", "reviv"}, {"allowance", "allow"}, {"inference", "infer"}, {"airliner", "airlin"},
		{"adjustable", "adjust"}, {"defensible", "defens"}, {"irritant", "irrit"}, {"replacement", "replac"},
		{"adjustment", "adjust"}, {"dependent", "depend"}, {"adoption", "adopt"}, {"communism", "commun"},
		{"activate", "activ"}, {"angulariti", "angular"}, {"homologous", "homolog"}, {"effective", "effect"},
		{"bowdlerize", "bowdler"}, {"probate", "probat"}, {"rate", "rate"}, {"cease", "ceas"}, {"controll", "control"},
		{"roll", "roll"}, {"configurations", "configur"}, {"configured", "configur"}, {"indices", "indic"}, {"yes", "ye"},
		{"as", ""}, {"utf8", ""}, {"straße", ""}, {"Upper", ""}, {"abcdefghijklmnopqrstuvwxyzabcdefg", ""},
	} {
		if got := string(text.Stem([]byte(tt.in))); got != tt.want {
			t.Errorf("Stem(%q) = %q, want %q", tt.in, got, tt.want)
		}
	}
}

func FuzzStem(f *testing.F) {
	f.Add([]byte("relational"))
	f.Fuzz(func(t *testing.T, w []byte) {
		n := len(w)
		if got := text.Stem(append([]byte(nil), w...)); len(got) > n {
			t.Errorf("Stem(%q) = %q is longer", w, got)
		}
	})
}
