package chunkfile_test

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"docpin/internal/chunkfile"
	"docpin/internal/digest"
)

// build returns a file of a payload of n bytes and what pins it.
func build(t testing.TB, n int) ([]byte, chunkfile.Seal) {
	t.Helper()
	var b bytes.Buffer
	w := chunkfile.NewWriter(&b)
	for i := range n {
		w.Write([]byte{byte(i * 7)})
	}
	seal, err := w.Close()
	if err != nil {
		t.Fatal(err)
	}
	return b.Bytes(), seal
}

func path(t testing.TB, data []byte) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "f")
	if err := os.WriteFile(name, data, 0o600); err != nil {
		t.Fatal(err)
	}
	return name
}

func pinned(pin digest.Sum) func(uint64, digest.Sum) (digest.Sum, error) {
	return func(uint64, digest.Sum) (digest.Sum, error) { return pin, nil }
}

func TestWriter(t *testing.T) {
	for _, n := range []int{0, 1, chunkfile.ChunkBytes - 1, chunkfile.ChunkBytes, chunkfile.ChunkBytes + 1, 3 * chunkfile.ChunkBytes} {
		data, seal := build(t, n)
		chunks := (n + chunkfile.ChunkBytes - 1) / chunkfile.ChunkBytes
		if want := n + 32*chunks + 16; len(data) != want || seal.Bytes != uint64(want) || seal.File != digest.Of(data) || seal.Tree != digest.Of(data[n:]) {
			t.Errorf("payload of %d bytes: file of %d bytes, seal %+v", n, len(data), seal)
		}
		f, err := chunkfile.Open(data, seal.Tree)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := f.View(0, uint64(n)); err != nil || !bytes.Equal(got, data[:n]) {
			t.Errorf("View of %d bytes: %v", n, err)
		}
		if _, err := f.View(uint64(n), 1); !errors.Is(err, chunkfile.ErrRange) {
			t.Errorf("View beyond %d bytes: %v, want ErrRange", n, err)
		}
		if _, err := f.View(1<<63, 1<<63); !errors.Is(err, chunkfile.ErrRange) {
			t.Errorf("View whose end overflows: %v, want ErrRange", err)
		}
	}
}

// A changed chunk is refused at the start, or lazily when it is read; the others stay readable.
func TestChangedChunk(t *testing.T) {
	const n = 5 * chunkfile.ChunkBytes
	data, seal := build(t, n)
	for chunk := range 5 {
		changed := bytes.Clone(data)
		changed[chunk*chunkfile.ChunkBytes+chunk*1000] ^= 1
		if _, err := chunkfile.Open(changed, seal.Tree); !errors.Is(err, chunkfile.ErrMismatch) {
			t.Errorf("Open with chunk %d changed: %v", chunk, err)
		}
		f, err := chunkfile.OpenPath(path(t, changed), true, pinned(seal.Tree))
		if err != nil {
			t.Fatal(err)
		}
		for i := range 5 {
			_, err := f.View(uint64(i)*chunkfile.ChunkBytes, chunkfile.ChunkBytes)
			if (i == chunk) != errors.Is(err, chunkfile.ErrMismatch) || i != chunk && err != nil {
				t.Errorf("chunk %d changed, View of chunk %d: %v", chunk, i, err)
			}
		}
	}
}

// A mapped file that is cut short or changed under Guard is an error that wraps ErrMismatch.
func TestGuard(t *testing.T) {
	const n = 40 * chunkfile.ChunkBytes
	data, seal := build(t, n)
	read := func(f *chunkfile.File) error {
		return f.Guard(func() error {
			_, err := f.View(0, n)
			return err
		})
	}
	changes := map[string]func(name string) error{
		"cut":     func(name string) error { return os.Truncate(name, n/2) },
		"emptied": func(name string) error { return os.Truncate(name, 0) },
		"grown":   func(name string) error { return os.Truncate(name, 2*n) },
	}
	for what, change := range changes {
		for _, touched := range []bool{false, true} {
			name := path(t, data)
			f, err := chunkfile.OpenPath(name, true, pinned(seal.Tree))
			if err != nil {
				t.Fatal(err)
			}
			if touched {
				if err := read(f); err != nil {
					t.Fatal(err)
				}
			}
			if err := change(name); err != nil {
				t.Fatal(err)
			}
			if err := read(f); !errors.Is(err, chunkfile.ErrMismatch) {
				t.Errorf("%s, read before: %v: %v, want ErrMismatch", what, touched, err)
			}
		}
	}
}

// A mapped file whose name is taken by another, or that gets a second name, is read on; one that is written to is not,
// unless the bytes stay.
func TestGuardStampChanges(t *testing.T) {
	const n = 40 * chunkfile.ChunkBytes
	data, seal := build(t, n)
	write := func(name string, b byte) error {
		f, err := os.OpenFile(name, os.O_WRONLY, 0)
		if err != nil {
			return err
		}
		_, err = f.WriteAt([]byte{b}, 3*chunkfile.ChunkBytes)
		return errors.Join(err, f.Close())
	}
	for what, c := range map[string]struct {
		change func(name string) error
		sound  bool
	}{
		"removed":    {os.Remove, true},
		"linked":     {func(name string) error { return os.Link(name, name+".link") }, true},
		"same byte":  {func(name string) error { return write(name, data[3*chunkfile.ChunkBytes]) }, true},
		"other byte": {func(name string) error { return write(name, data[3*chunkfile.ChunkBytes]^1) }, false},
	} {
		for _, lazy := range []bool{false, true} {
			name := path(t, data)
			f, err := chunkfile.OpenPath(name, lazy, pinned(seal.Tree))
			if err != nil {
				t.Fatal(err)
			}
			for call := range 3 {
				var got []byte
				err := f.Guard(func() error {
					b, err := f.View(0, n)
					got = bytes.Clone(b)
					return err
				})
				if call == 0 || c.sound {
					if err != nil || !bytes.Equal(got, data[:n]) {
						t.Errorf("%s, lazy %v, call %d: error %v", what, lazy, call, err)
					}
				} else if !errors.Is(err, chunkfile.ErrMismatch) {
					t.Errorf("%s, lazy %v, call %d: error %v, want ErrMismatch", what, lazy, call, err)
				}
				if call == 0 {
					if err := c.change(name); err != nil {
						t.Fatal(err)
					}
				}
			}
		}
	}
}

// Panics that are no memory faults pass through Guard.
func TestGuardPanic(t *testing.T) {
	data, seal := build(t, 10)
	f, err := chunkfile.OpenPath(path(t, data), true, pinned(seal.Tree))
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if recover() == nil {
			t.Error("Guard swallowed a panic")
		}
	}()
	f.Guard(func() error {
		var none []int
		_ = none[len(data)]
		return nil
	})
}

func TestOpenPathRefuses(t *testing.T) {
	if _, err := chunkfile.OpenPath(t.TempDir(), false, pinned(digest.Sum{})); err == nil {
		t.Error("a folder was opened")
	}
	for _, b := range []string{"", "x", "docpinT1", "\xff\xff\xff\xff\xff\xff\xff\xffdocpinT1"} {
		for _, lazy := range []bool{false, true} {
			if b == "" && lazy {
				continue // nothing to map
			}
			if _, err := chunkfile.OpenPath(path(t, []byte(b)), lazy, pinned(digest.Of(nil))); !errors.Is(err, chunkfile.ErrMismatch) {
				t.Errorf("%q, lazy %v: %v, want ErrMismatch", b, lazy, err)
			}
		}
	}
}
