package profile_test

import (
	"strings"
	"testing"
)

func loadPattern(pattern string) error {
	text := strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(pattern)
	_, err := load(map[string]string{"a.schema.json": object(`{"description":"d","type":"string","maxLength":9,"pattern":"` + text + `"}`)})
	return err
}

func TestPatternAccepts(t *testing.T) {
	for _, pattern := range []string{
		`^$`, `^a$`, `^[0-9a-f]{64}$`, `^[^\x00-\x20\x7f-\xa0]{1,64}( [^\x00-\x20\x7f-\xa0]{1,64}){0,15}$`,
		`^(a|b)$`, `^a{0}$`, `^a{0,10}$`, `^(?:ab|cd)*$`, `^a?b+c*d{2,}$`, `^\d{2}\.\d$`, `^[\]\-\\^$.*+?(){}|/]$`, `^\/\$\^\|\[\]\{\}$`,
		`^[a-z-]$`, `^[-a-z]$`, `^(|a)$`, `^[a-z.+_!:~-]$`,
	} {
		if err := loadPattern(pattern); err != nil {
			t.Errorf("%s: %v", pattern, err)
		}
	}
}

// Everything here is read in two ways by RE2 and ECMAScript with the u flag, or by one of them not at all.
func TestPatternRefuses(t *testing.T) {
	for pattern, want := range map[string]string{
		`a`:             "anchored",
		`^a`:            "anchored",
		`a$`:            "anchored",
		`^`:             "anchored",
		`^a\$`:          "anchored",
		`^a|b$`:         "alternatives outside a group",
		`^(a)|(b)$`:     "alternatives outside a group",
		`^a.b$`:         `a bare '.'`,
		`^a^b$`:         `a bare '^'`,
		`^a$b$`:         `a bare '$'`,
		`^a]$`:          `a bare ']'`,
		`^a}$`:          `a bare '}'`,
		`^a{$`:          "a brace that is no count",
		`^a{,5}$`:       "a brace that is no count",
		`^a{x}$`:        "a brace that is no count",
		`^a{1,x}$`:      "a brace that is no count",
		`^a{01}$`:       "leading zero",
		`^a{00}$`:       "leading zero",
		`^a{00,}$`:      "leading zero",
		`^a{1,02}$`:     "leading zero",
		`^\w$`:          `escape \w`,
		`^\s$`:          `escape \s`,
		`^\b$`:          `escape \b`,
		`^\D$`:          `escape \D`,
		`^\1$`:          `escape \1`,
		`^\pL$`:         `escape \p`,
		`^\p{L}$`:       `escape \p`,
		`^\u0041$`:      `escape \u`,
		`^\-$`:          `escape \-`,
		`^\_$`:          `escape \_`,
		`^\"$`:          `escape \"`,
		`^\Aa\z$`:       `escape \A`,
		`^\Qa\E$`:       `escape \Q`,
		`^\x{41}$`:      "two hexadecimal digits",
		`^\x4$`:         "two hexadecimal digits",
		`^\xg0$`:        "two hexadecimal digits",
		`^[\d]$`:        `escape \d`,
		`^[\w]$`:        `escape \w`,
		`^[\b]$`:        `escape \b`,
		`^(?i)a$`:       "look-around, names and flags",
		`^(?=a)a$`:      "look-around, names and flags",
		`^(?!a)b$`:      "look-around, names and flags",
		`^(?<n>a)$`:     "look-around, names and flags",
		`^(?P<n>a)$`:    "look-around, names and flags",
		`^a*?$`:         "a quantifier follows nothing",
		`^a++$`:         "a quantifier follows nothing",
		`^a{2}{3}$`:     "a quantifier follows nothing",
		`^*a$`:          "a quantifier follows nothing",
		`^(*a)$`:        "a quantifier follows nothing",
		`^(a|*b)$`:      "a quantifier follows nothing",
		`^[]$`:          "an empty class",
		`^[^]$`:         "an empty class",
		`^[]a]$`:        "an empty class",
		`^[[:alpha:]]$`: "a bare '[' inside a class",
		`^[a--b]$`:      "an operator to some engines",
		`^[a&&b]$`:      "an operator to some engines",
		`^[a$`:          "a class is not closed",
		`^(a$`:          "missing closing )",
		`^a)$`:          "a group is closed that was not opened",
		`^[b-a]$`:       "invalid character class range",
		`^a{2,1}$`:      "invalid repeat count",
		`^a{1001}$`:     "invalid repeat count",
		"^\u00e9$":      "printable ASCII",
		"^[\u00e9]$":    "printable ASCII",
	} {
		if err := loadPattern(pattern); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want one with %q", pattern, err, want)
		}
	}
}
