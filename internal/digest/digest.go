// Package digest holds the one hash of docpin, SHA-256, as a value, and the one form of JSON that is hashed:
// canonical JSON as RFC 8785 defines it. Equal values have equal digests, whoever wrote them down.
package digest

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
)

// Sum is a SHA-256 digest. Its text form is 64 lower-case hexadecimal digits.
type Sum [sha256.Size]byte

// Of returns the digest of data.
func Of(data []byte) Sum { return sha256.Sum256(data) }

// OfJSON returns the digest of the canonical form of one JSON text. Its errors are those of [Canonical].
func OfJSON(json []byte) (Sum, error) {
	canonical, err := Canonical(json)
	if err != nil {
		return Sum{}, err
	}
	return Of(canonical), nil
}

// Parse reads the text form; upper-case digits are refused, so that equal digests have equal texts.
func Parse(text string) (Sum, error) {
	var s Sum
	if len(text) != 2*len(s) {
		return Sum{}, fmt.Errorf("digest has %d characters; want %d hexadecimal digits", len(text), 2*len(s))
	}
	for i := range len(text) {
		if c := text[i]; (c < '0' || c > '9') && (c < 'a' || c > 'f') {
			return Sum{}, fmt.Errorf("digest has %q at character %d; want 0-9 or a-f", text[i:i+1], i+1)
		}
	}
	if _, err := hex.Decode(s[:], []byte(text)); err != nil {
		return Sum{}, fmt.Errorf("digest: %w", err)
	}
	return s, nil
}

// String returns the text form.
func (s Sum) String() string { return hex.EncodeToString(s[:]) }
