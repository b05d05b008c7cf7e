package strict

import "math"

// parseInteger reads the text of a JSON number as an integer in JSON Schema's sense: 2.0 and 20e-1 count. It is
// exact, and linear in the length of the text whatever the exponent. An integer beyond int64 comes out as the
// nearest int64, which any bound refuses just the same; ok is false for a number that is not an integer.
func parseInteger(text []byte) (n int64, ok bool) {
	negative := text[0] == '-'
	if negative {
		text = text[1:]
	}
	magnitude, ok := parseMagnitude(text)
	switch {
	case !ok:
		return 0, false
	case !negative && magnitude > math.MaxInt64:
		return math.MaxInt64, true
	case negative && magnitude > math.MaxInt64:
		return math.MinInt64, true
	case negative:
		return -int64(magnitude), true
	}
	return int64(magnitude), true
}

// parseMagnitude reads an unsigned number; what exceeds uint64 comes out as the largest uint64.
func parseMagnitude(text []byte) (u uint64, ok bool) {
	const maxDigits = 19 // 10^19 - 1 fits uint64
	if len(text) <= maxDigits && plain(text) {
		for _, c := range text {
			u = u*10 + uint64(c-'0')
		}
		return u, true
	}
	digits, exponent := decimal(text)
	switch {
	case len(digits) == 0:
		return 0, true
	case exponent < 0:
		return 0, false
	case int64(len(digits))+exponent > maxDigits:
		return math.MaxUint64, true
	}
	for _, c := range digits {
		u = u*10 + uint64(c-'0')
	}
	for ; exponent > 0; exponent-- {
		u *= 10
	}
	return u, true
}

// plain reports whether text has digits only.
func plain(text []byte) bool {
	for _, c := range text {
		if c < '0' || c > '9' {
			return false
		}
	}
	return true
}

// maxExponent bounds the written exponent so that adding to it cannot overflow. No text is so long that its
// digits could make up for a larger one.
const maxExponent = 1 << 50

// decimal takes an unsigned JSON number apart: its value is digits × 10^exponent, with neither a leading nor a
// trailing zero among digits. Zero has none.
func decimal(text []byte) (digits []byte, exponent int64) {
	zeros := 0 // read since the last digit that counts
	fraction := false
	i := 0
	for ; i < len(text) && text[i] != 'e' && text[i] != 'E'; i++ {
		c := text[i]
		if c == '.' {
			fraction = true
			continue
		}
		if fraction {
			exponent--
		}
		if c == '0' {
			zeros++
			continue
		}
		for ; zeros > 0 && len(digits) > 0; zeros-- {
			digits = append(digits, '0')
		}
		zeros = 0
		digits = append(digits, c)
	}
	exponent += int64(zeros)
	if i == len(text) {
		return digits, exponent
	}
	written, negative := int64(0), false
	for _, c := range text[i+1:] {
		switch {
		case c == '-':
			negative = true
		case c != '+' && written < maxExponent:
			written = written*10 + int64(c-'0')
		}
	}
	if negative {
		written = -written
	}
	return digits, exponent + written
}
