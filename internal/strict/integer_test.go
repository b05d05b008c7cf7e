package strict

import (
	"math"
	"math/big"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"
	"time"
)

func TestParseInteger(t *testing.T) {
	for _, test := range []struct {
		text string
		want int64
		ok   bool
	}{
		{"0", 0, true},
		{"-0", 0, true},
		{"2", 2, true},
		{"-17", -17, true},
		{"2.0", 2, true},
		{"2e0", 2, true},
		{"2E+0", 2, true},
		{"20e-1", 2, true},
		{"0.2e1", 2, true},
		{"0.00", 0, true},
		{"0e99999999999999999999", 0, true},
		{"1.5", 0, false},
		{"2.0000000000000000000000000000001", 0, false},
		{"1e-1", 0, false},
		{"1e-99999999999999999999", 0, false},
		{"9007199254740993", 9007199254740993, true},
		{"9007199254740993.0", 9007199254740993, true},
		{"9223372036854775807", math.MaxInt64, true},
		{"9223372036854775808", math.MaxInt64, true},
		{"-9223372036854775808", math.MinInt64, true},
		{"-9223372036854775809", math.MinInt64, true},
		{"1e30", math.MaxInt64, true},
		{"-1e30", math.MinInt64, true},
		{"1e99999999999999999999", math.MaxInt64, true},
		{"123456789012345678901234567890", math.MaxInt64, true},
		{"1234567890123456789000000000000e-12", 1234567890123456789, true},
		{"0." + strings.Repeat("0", 1000) + "7e1001", 7, true},
		{"7" + strings.Repeat("0", 1000) + "e-1000", 7, true},
	} {
		got, ok := parseInteger([]byte(test.text))
		if got != test.want || ok != test.ok {
			t.Errorf("parseInteger(%.50s) = %d, %t; want %d, %t", test.text, got, ok, test.want, test.ok)
		}
	}
}

func TestParseIntegerAgainstBig(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	digits := func(n int) string {
		var b strings.Builder
		for range n {
			b.WriteByte("00123456789"[random.IntN(11)])
		}
		return b.String()
	}
	for range 20_000 {
		text := strconv.Itoa(random.IntN(1000)) + digits(random.IntN(18))
		if random.IntN(2) == 0 {
			text += "." + digits(1+random.IntN(12))
		}
		if random.IntN(2) == 0 {
			text += "e" + strconv.Itoa(random.IntN(50)-25)
		}
		if random.IntN(2) == 0 {
			text = "-" + text
		}
		exact, _ := new(big.Rat).SetString(text)
		var want int64
		switch n := exact.Num(); {
		case !exact.IsInt():
		case n.IsInt64():
			want = n.Int64()
		case n.Sign() < 0:
			want = math.MinInt64
		default:
			want = math.MaxInt64
		}
		if got, ok := parseInteger([]byte(text)); got != want || ok != exact.IsInt() {
			t.Fatalf("parseInteger(%s) = %d, %t; want %d, %t", text, got, ok, want, exact.IsInt())
		}
	}
}

// The cost of a number follows from the length of its text, not from its size.
func TestParseIntegerCost(t *testing.T) {
	texts := []string{
		"1e1000000000",
		"-1e-1000000000",
		"1" + strings.Repeat("0", 1<<20),
		"0." + strings.Repeat("0", 1<<20) + "1",
		"1e" + strings.Repeat("9", 1<<20),
	}
	start := time.Now()
	for _, text := range texts {
		parseInteger([]byte(text))
	}
	if took := time.Since(start); took > time.Second {
		t.Errorf("five numbers of at most 1 MiB took %v; want well under a second", took)
	}
}
