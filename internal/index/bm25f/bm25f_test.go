package bm25f

import (
	"math"
	"testing"
)

func TestIDF(t *testing.T) {
	for _, tt := range []struct{ n, df uint64 }{{1, 1}, {2, 1}, {10, 3}, {1000, 1}, {1000, 1000}, {1 << 20, 17}, {1 << 30, 1 << 29}} {
		n, df := float64(tt.n), float64(tt.df)
		want := math.Log(1 + (n-df+.5)/(df+.5))
		got := float64(idf(tt.n, tt.df)) / (1 << 16)
		if math.Abs(got-want) > 1e-4 {
			t.Errorf("idf(%d, %d) = %.6f, want %.6f", tt.n, tt.df, got, want)
		}
	}
}

// These must be the same on every machine and in every version.
func TestIDFBits(t *testing.T) {
	for _, tt := range []struct{ n, df, want uint64 }{{1000, 7, 320723}, {100000, 99999, 0}, {1 << 30, 3, 1280681}} {
		if got := idf(tt.n, tt.df); got != tt.want {
			t.Errorf("idf(%d, %d) = %d, want %d", tt.n, tt.df, got, tt.want)
		}
	}
}

func TestIDFFalls(t *testing.T) {
	const n = 5000
	for df := uint64(1); df < n; df++ {
		if idf(n, df+1) > idf(n, df) {
			t.Fatalf("idf rises from df %d to %d", df, df+1)
		}
	}
}

func TestSaturation(t *testing.T) {
	g := Figures{Weight: [Fields]uint64{4, 3, 3, 1}, B: [Fields]uint64{1229, 1229, 1229, 1638}, K1: 3 << 16}
	average := Averages(&[Fields]uint64{300, 500, 100, 20000}, 100)
	for _, tt := range []struct {
		name       string
		tf, length Counts
	}{
		{"once in the body", Counts{Body: Full}, Counts{3, 5, 1, 200}},
		{"long body", Counts{Body: 5 * Full}, Counts{3, 5, 1, 2000}},
		{"title and body", Counts{Title: Full, Body: 3 * Full}, Counts{2, 5, 1, 100}},
		{"half", Counts{Names: Full / 2}, Counts{2, 5, 1, 100}},
		{"empty field", Counts{Body: Full}, Counts{}},
	} {
		x := 0.0
		for f := range Fields {
			b := float64(g.B[f]) / 4096
			norm := 1 - b + b*float64(tt.length[f])/(float64(average[f])/4096)
			x += float64(g.Weight[f]) * float64(tt.tf[f]) / Full / norm
		}
		want := x / (3 + x)
		if got := float64(g.Saturation(&tt.tf, &tt.length, &average)) / 4096; math.Abs(got-want) > 1e-3 {
			t.Errorf("%s: got %.4f, want %.4f", tt.name, got, want)
		}
	}
}

func TestSaturationBounds(t *testing.T) {
	g := Figures{Weight: [Fields]uint64{Body: 1}, B: [Fields]uint64{Body: 4096}, K1: 3 << 16}
	average := Averages(&[Fields]uint64{Body: 10}, 10)
	if got := g.Saturation(&Counts{Body: 1}, &Counts{Body: 1 << 30}, &average); got != 1 {
		t.Errorf("weakest: got %d, want 1", got)
	}
	if got := g.Saturation(&Counts{Body: 1 << 30}, &Counts{}, &average); got != MaxSaturation {
		t.Errorf("strongest: got %d, want %d", got, MaxSaturation)
	}
}

func TestMultiplier(t *testing.T) {
	g := Figures{K1: 3 << 16}
	if got, want := g.Multiplier(1000, 7, 256), idf(1000, 7)*4; got != want {
		t.Errorf("got %d, want idf * (k1 + 1) = %d", got, want)
	}
	if got := g.Multiplier(1000, 1000, 1); got != 16 {
		t.Errorf("a term of every passage: got %d, want 16", got)
	}
}
