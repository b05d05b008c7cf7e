package streams_test

import (
	"bytes"
	"math/rand/v2"
	"testing"

	"docpin/internal/index/streams"
)

func TestStreams(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	var a streams.Arena
	streams := make([]streams.Stream, 40)
	want := make([][]byte, len(streams))
	for range 20000 {
		i := r.IntN(len(streams) - 1) // the last stays empty
		p := make([]byte, r.IntN(1+i*3))
		for k := range p {
			p[k] = byte(r.Uint32())
		}
		a.Write(&streams[i], p)
		want[i] = append(want[i], p...)
	}
	for i := range streams {
		if got := a.Append([]byte("x"), &streams[i]); !bytes.Equal(got, append([]byte("x"), want[i]...)) {
			t.Errorf("stream %d: got %d bytes, want those %d that were written", i, len(got)-1, len(want[i]))
		}
	}
}
