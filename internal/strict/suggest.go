package strict

import "strings"

// suggest returns the word of known that got most likely meant, or "". Words equal but for case, underscores
// and hyphens come first, then those at most two edits away that are at least half right.
func suggest(got string, known []string) string {
	if len(got) > maxQuoted {
		return ""
	}
	fold := strings.NewReplacer("_", "", "-", "", " ", "").Replace
	for _, k := range known {
		if strings.EqualFold(fold(got), fold(k)) {
			return k
		}
	}
	best, least := "", 3
	for _, k := range known {
		if d := edits(strings.ToLower(got), k); d < least && 2*d <= len(k) && 2*d <= len(got) {
			best, least = k, d
		}
	}
	return best
}

// edits is the Levenshtein distance of two short strings, in bytes.
func edits(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := diagonal
			if a[i] != b[j] {
				cost++
			}
			diagonal = row[j+1]
			row[j+1] = min(cost, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}
