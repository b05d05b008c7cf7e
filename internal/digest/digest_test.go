package digest_test

import (
	"bytes"
	"math"
	"os"
	"strings"
	"testing"

	"docpin/internal/digest"
)

func TestParse(t *testing.T) {
	const text = "3f33383e706e36449e22c380704d880d5e2b8a4b1f6b779b8aa54206e072ad5f"
	sum, err := digest.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	if got := sum.String(); got != text {
		t.Errorf("String() = %s, want %s", got, text)
	}
	for bad, want := range map[string]string{
		"":                        "0 characters",
		text[1:]:                  "63 characters",
		strings.ToUpper(text):     `"F" at character 2`,
		"g" + text[1:]:            `"g" at character 1`,
		text[:62] + "\u00e9":      `at character 63`,
		" " + text[:62] + " ":     `" " at character 1`,
		text + "\n":               "65 characters",
		"0x" + text[2:]:           `"x" at character 2`,
		strings.Repeat("f", 1000): "1000 characters",
	} {
		if _, err := digest.Parse(bad); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("Parse(%q): error %v, want one with %q", bad, err, want)
		}
	}
}

// The names and hashes of the published vectors: two other implementations agree on them.
func TestCanonicalVectors(t *testing.T) {
	for name, sum := range map[string]string{
		"key_order": "9909cc27ee17b1888ad4e6d9b009b438c1e13c532722899a4b17685ee3dd26ff",
		"numbers":   "1b2ca01f6e1ac78c6a02799907fd099be1d905b43368300c951a061036ab1eac",
		"strings":   "d8679765133fcc5dbfe16811607ad7540341d10a4c2e27f074e6d669a6fd9ba3",
	} {
		t.Run(name, func(t *testing.T) {
			in, err := os.ReadFile("testdata/" + name + ".json")
			if err != nil {
				t.Fatal(err)
			}
			want, err := os.ReadFile("testdata/" + name + ".canon")
			if err != nil {
				t.Fatal(err)
			}
			got, err := digest.Canonical(in)
			if err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(got, want) {
				t.Errorf("got  %s\nwant %s", got, want)
			}
			if got, err := digest.OfJSON(in); err != nil || got.String() != sum {
				t.Errorf("OfJSON = %s, %v; want %s", got, err, sum)
			}
			if again, err := digest.Canonical(got); err != nil || !bytes.Equal(again, got) {
				t.Errorf("the canonical form of %s is %s, %v", got, again, err)
			}
		})
	}
}

func TestCanonical(t *testing.T) {
	for in, want := range map[string]string{
		" null ":           "null",
		"[true , false]":   "[true,false]",
		"{}":               "{}",
		"[ ]":              "[]",
		`"\u0041\/\u00E9"`: `"A/é"`,
		`"\ud83d\ude00"`:   `"😀"`,
		"-0":               "0",
		"-0.0e5":           "0",
		"1e-400":           "0",
		`{"b":{"d":1,"c":[2,{"z":3,"y":4}]},"a":5}`: `{"a":5,"b":{"c":[2,{"y":4,"z":3}],"d":1}}`,
	} {
		got, err := digest.Canonical([]byte(in))
		if err != nil || string(got) != want {
			t.Errorf("Canonical(%s) = %s, %v; want %s", in, got, err, want)
		}
	}
}

func TestCanonicalRefuses(t *testing.T) {
	for in, want := range map[string]string{
		"":                           "input ends",
		" ":                          "input ends",
		"{":                          "a member name",
		`{"a"`:                       "a colon",
		`{"a":1`:                     "a comma or }",
		`{"a":1,}`:                   "a member name",
		"[1,]":                       "a JSON value",
		"[1 2]":                      "a comma or ]",
		"nul":                        "null",
		"truth":                      "true",
		"01":                         "data after",
		"1.":                         "a digit",
		".5":                         "a JSON value",
		"+1":                         "a JSON value",
		"1e":                         "a digit",
		"-":                          "a digit",
		"1e400":                      "beyond float64",
		"NaN":                        "a JSON value",
		"{} {}":                      "data after",
		`{"a":1,"a":1}`:              `"a" twice`,
		`{"a":1,"\u0061":2}`:         `"a" twice`,
		`{"b":1,"a":2,"b":3}`:        `"b" twice`,
		"\"\xff\"":                   "UTF-8",
		"\"\\n\xff\"":                "UTF-8",
		"\"\xed\xa0\x80\"":           "UTF-8",
		`"\ud800"`:                   "surrogate",
		`"\ud800\n"`:                 "surrogate",
		`"\ud800\u0041"`:             "surrogate",
		`"\udc00\ud800"`:             "surrogate",
		`{"\ud800":1}`:               "surrogate",
		`"\u12"`:                     "four hexadecimal digits",
		`"\u12g4"`:                   "four hexadecimal digits",
		`"\x"`:                       "escapes",
		`"\`:                         "an escape",
		"\"\t\"":                     "control character",
		"\"\\n\t\"":                  "control character",
		`"abc`:                       "a closing quote",
		`"abc\n`:                     "a closing quote",
		strings.Repeat("[", 257):     "deeper than 256 levels",
		"\ufeff{}":                   "a JSON value",
		"/**/1":                      "a JSON value",
		strings.Repeat(`{"a":`, 300): "deeper than 256 levels",
	} {
		if got, err := digest.Canonical([]byte(in)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("Canonical(%.40q) = %s, %v; want an error with %q", in, got, err, want)
		}
	}
}

func TestCanonicalDeepest(t *testing.T) {
	in := strings.Repeat("[", digest.MaxDepth) + strings.Repeat("]", digest.MaxDepth)
	if got, err := digest.Canonical([]byte(in)); err != nil || string(got) != in {
		t.Errorf("Canonical at the deepest nesting = %.20s, %v", got, err)
	}
}

func TestAppendFloatPanics(t *testing.T) {
	for _, f := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("AppendFloat(%v) did not panic", f)
				}
			}()
			digest.AppendFloat(nil, f)
		}()
	}
}

func FuzzCanonical(f *testing.F) {
	for _, seed := range []string{`{"b":[1,2.5e3,"\u00e9"],"a":{"c":null}}`, `"\ud83d\ude00"`, "1e-7", "[[[]]]", `{"a":1,"a":2}`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, in []byte) {
		once, err := digest.Canonical(in)
		if err != nil {
			return
		}
		twice, err := digest.Canonical(once)
		if err != nil || !bytes.Equal(once, twice) {
			t.Errorf("Canonical(%q) = %q, whose canonical form is %q, %v", in, once, twice, err)
		}
	})
}
