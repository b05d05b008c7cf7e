package bm25f

import "math/bits"

// A saturation has SaturationBits fractional bits, a multiplier MultiplierBits; a score has both.
const (
	SaturationBits = 12
	MultiplierBits = 16
	MaxSaturation  = 1<<SaturationBits - 1
)

// log2 returns the binary logarithm of n, n > 0, with 32 fractional bits, rounded down.
func log2(n uint64) uint64 {
	lead := bits.LeadingZeros64(n)
	result := uint64(63 - lead)
	m := n << lead // 1 <= m < 2 with 63 fractional bits
	for range 32 {
		hi, lo := bits.Mul64(m, m)
		result <<= 1
		if hi >= 1<<63 {
			result |= 1
			m = hi
		} else {
			m = hi<<1 | lo>>63
		}
	}
	return result
}

// idf returns ln(1 + (n - df + 0.5) / (df + 0.5)) = ln((2n + 2) / (2df + 1)) with 16 fractional bits, for
// 0 < df <= n.
func idf(n, df uint64) uint64 {
	const ln2 = 2977044472 // with 32 fractional bits
	hi, lo := bits.Mul64(log2(2*n+2)-log2(2*df+1), ln2)
	return hi<<16 | lo>>48
}

// saturation returns x / (k1 + x), x with 16 fractional bits, at least the least positive value.
func saturation(x, k1 uint64) uint16 {
	x = min(x, 1<<40) // far above what rounds to the largest
	return uint16(min(max((x<<SaturationBits+(k1+x)/2)/(k1+x), 1), MaxSaturation))
}
