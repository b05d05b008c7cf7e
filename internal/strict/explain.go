package strict

// explain says why s does not match the pattern of rule.
func explain(s string, rule *String) string {
	return quote(s) + " does not match; want " + firstSentence(rule.About)
}
