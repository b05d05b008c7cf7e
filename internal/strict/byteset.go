package strict

// ByteSet is a set of bytes, for the generated matchers: a look-up costs the same whatever comes, where a chain of
// comparisons would be predicted wrongly for every other hexadecimal digit.
type ByteSet [256]bool

// NewByteSet returns the bytes of the given ranges, each written as its first and last byte.
func NewByteSet(ranges string) ByteSet {
	var set ByteSet
	for i := 0; i+1 < len(ranges); i += 2 {
		for b := int(ranges[i]); b <= int(ranges[i+1]); b++ {
			set[b] = true
		}
	}
	return set
}
