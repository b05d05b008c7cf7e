package corpus_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"docpin/gen"
	"docpin/internal/chunkfile"
	"docpin/internal/corpus"
	"docpin/internal/digest"
)

// documents returns a small corpus: two libraries, one of them in two versions.
func documents() []corpus.Document {
	page := func(library, version, path, text string, passages ...corpus.Passage) corpus.Document {
		return corpus.Document{
			Library: library, Version: version, SourceID: library + "/" + path, Title: "Page " + path,
			URL: "https://example.test/" + version + "/" + path, Text: text, Original: digest.Of([]byte(text)), Passages: passages,
		}
	}
	a := page("rope", "1.0", "a.md", "# A\n\nfirst\n\n## B\n\nsecond é\n",
		corpus.Passage{StartLine: 1, EndLine: 4, HeadingPath: []string{"A"}, Anchors: []string{"a"}},
		corpus.Passage{StartLine: 5, EndLine: 7, HeadingPath: []string{"A", "B"}, Anchors: []string{"b", "bee"}})
	a.Links = []corpus.Link{{Passage: 1, Target: "rope/z.md", Anchor: "end"}, {Passage: 0, Target: "rope/z.md"}, {Passage: 0, Target: "rope/nowhere.md"}}
	z := page("rope", "1.0", "z.md", "no line end", corpus.Passage{StartLine: 1, EndLine: 1})
	b := page("rope", "1.1", "a.md", "---\ntitle: x\n---\nbody\n", corpus.Passage{StartLine: 4, EndLine: 4, HeadingPath: []string{"x"}})
	s := page("sail", "1.0", "a.md", "wind\n", corpus.Passage{StartLine: 1, EndLine: 1, Anchors: []string{"a"}})
	return []corpus.Document{s, b, z, a}
}

func write(t testing.TB, docs []corpus.Document) ([]byte, gen.CorpusLock) {
	t.Helper()
	var b bytes.Buffer
	lock, err := corpus.Write(&b, docs, func(docs []corpus.Document) ([]byte, error) {
		return fmt.Appendf(nil, "index of %d documents", len(docs)), nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return b.Bytes(), lock
}

func pin(t testing.TB, l gen.CorpusLock) digest.Sum {
	t.Helper()
	sum, err := digest.Parse(string(l.TreeSha256))
	if err != nil {
		t.Fatal(err)
	}
	return sum
}

func open(t testing.TB, docs []corpus.Document) *corpus.Corpus {
	t.Helper()
	data, lock := write(t, docs)
	c, err := corpus.Open(data, pin(t, lock))
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestRoundTrip(t *testing.T) {
	data, lock := write(t, documents())
	if sum := digest.Of(data); string(lock.SnapshotSha256) != sum.String() || lock.Bytes != len(data) {
		t.Errorf("lock says %s, %d bytes; the file is %s, %d bytes", lock.SnapshotSha256, lock.Bytes, sum, len(data))
	}
	c, err := corpus.Open(data, pin(t, lock))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, v := range c.Versions() {
		got = append(got, fmt.Sprintf("%s %s, documents %d+%d, passages %d+%d, %d bytes, %s", v.Library, v.Version, v.FirstDocument, v.Documents, v.FirstPassage, v.Passages, v.TextBytes, indexOf(c, v)))
		for i := range v.Documents {
			d, err := c.Document(v.FirstDocument + i)
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, fmt.Sprintf(" %s %q %s", d.SourceID, d.Title, d.URL))
			for k := range d.Passages {
				got = append(got, describe(t, c, d, d.FirstPassage+k))
			}
		}
	}
	want := []string{
		`rope 1.0, documents 0+2, passages 0+3, 39 bytes, index of 2 documents`,
		` rope/a.md "Page a.md" https://example.test/1.0/a.md`,
		`  lines 1-4 [A] [a] "# A\n\nfirst\n\n" [1#]`,
		`  lines 5-7 [A B] [b bee] "## B\n\nsecond é\n" [1#end]`,
		` rope/z.md "Page z.md" https://example.test/1.0/z.md`,
		`  lines 1-1 [] [] "no line end" []`,
		`rope 1.1, documents 2+1, passages 3+1, 22 bytes, index of 1 documents`,
		` rope/a.md "Page a.md" https://example.test/1.1/a.md`,
		`  lines 4-4 [x] [] "body\n" []`,
		`sail 1.0, documents 3+1, passages 4+1, 5 bytes, index of 1 documents`,
		` sail/a.md "Page a.md" https://example.test/1.0/a.md`,
		`  lines 1-1 [] [a] "wind\n" []`,
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("corpus (-want +got):\n%s", d)
	}
	if _, err := c.Verify(); err != nil {
		t.Errorf("Verify: %v", err)
	}
}

func indexOf(c *corpus.Corpus, v corpus.Version) []byte {
	b, _ := c.Index(v)
	return b
}

func describe(t *testing.T, c *corpus.Corpus, d corpus.DocumentRecord, i uint32) string {
	t.Helper()
	p, err := c.Passage(i)
	if err != nil {
		t.Fatal(err)
	}
	headings, err1 := c.HeadingPath(p)
	anchors, err2 := c.Anchors(p)
	text, err3 := c.PassageText(d, p)
	links, err4 := c.Links(i)
	if err := errors.Join(err1, err2, err3, err4); err != nil {
		t.Fatal(err)
	}
	var to []string
	for _, l := range links {
		to = append(to, fmt.Sprintf("%d#%s", l.Document, l.Anchor))
	}
	return fmt.Sprintf("  lines %d-%d %v %v %q %v", p.StartLine, p.EndLine, headings, anchors, text, to)
}

func TestFind(t *testing.T) {
	c := open(t, documents())
	for _, tt := range []struct {
		version int
		source  string
		want    uint32
		ok      bool
	}{{0, "rope/a.md", 0, true}, {0, "rope/z.md", 1, true}, {0, "rope/b.md", 0, false}, {0, "rope/zz.md", 0, false}, {1, "rope/a.md", 2, true}, {2, "rope/a.md", 0, false}} {
		got, ok, err := c.Find(c.Versions()[tt.version], tt.source)
		if err != nil || ok != tt.ok || (ok && got != tt.want) {
			t.Errorf("Find(%d, %q) = %d, %v, %v; want %d, %v", tt.version, tt.source, got, ok, err, tt.want, tt.ok)
		}
	}
}

// The corpus_id is what sha256sum says of the records.
func TestRecords(t *testing.T) {
	c := open(t, documents())
	var b bytes.Buffer
	if err := c.WriteRecords(&b); err != nil {
		t.Fatal(err)
	}
	if got := digest.Of(b.Bytes()); got != c.ID() {
		t.Errorf("records have SHA-256 %s, corpus_id is %s", got, c.ID())
	}
	if n := strings.Count(b.String(), "\n"); n != 4 || !strings.HasPrefix(b.String(), `{"document":{"library":"rope",`) {
		t.Errorf("%d lines beginning %.40q, want 4 in document order", n, b.String())
	}
	for line := range strings.Lines(b.String()) {
		canonical, err := digest.Canonical([]byte(strings.TrimSuffix(line, "\n")))
		if err != nil || string(canonical)+"\n" != line {
			t.Errorf("record is not canonical JSON (%v): %s", err, line)
		}
	}
}

// The bytes depend on the documents alone, not on the order in which they come.
func TestWriteOrder(t *testing.T) {
	want, _ := write(t, documents())
	docs := documents()
	docs[0], docs[3] = docs[3], docs[0]
	if got, _ := write(t, docs); !bytes.Equal(got, want) {
		t.Error("another order of documents gives another file")
	}
}

func TestWriteRefuses(t *testing.T) {
	tests := []struct {
		name   string
		change func(*corpus.Document)
		want   string
	}{
		{"version latest", func(d *corpus.Document) { d.Version = "Latest" }, `version "Latest" names no exact release`},
		{"version pattern", func(d *corpus.Document) { d.Version = "1.0 beta" }, `version "1.0 beta"`},
		{"library dots", func(d *corpus.Document) { d.Library, d.SourceID = "a..b", "a..b/x" }, `library "a..b"`},
		{"library slash", func(d *corpus.Document) { d.Library, d.SourceID = "a/", "a//x" }, `library "a/"`},
		{"source_id", func(d *corpus.Document) { d.SourceID = "other/x" }, `source_id is not "rope/"`},
		{"long source_id", func(d *corpus.Document) { d.SourceID = "rope/" + strings.Repeat("x", 252) }, "the limit is 256 characters"},
		{"long url", func(d *corpus.Document) { d.URL = strings.Repeat("u", 2049) }, "the limit is 2048 characters"},
		{"long title", func(d *corpus.Document) { d.Title = strings.Repeat("é", 257) }, "title has 257 characters"},
		{"carriage return", func(d *corpus.Document) { d.Text = "a\r\n" }, "LF line ends"},
		{"not UTF-8", func(d *corpus.Document) { d.Text = "a\xff\n" }, "UTF-8"},
		{"overlap", func(d *corpus.Document) { d.Passages[1].StartLine = 4 }, "after line 4"},
		{"beyond the text", func(d *corpus.Document) { d.Passages[1].EndLine = 8 }, "beyond the text"},
		{"large passage", func(d *corpus.Document) {
			d.Text = strings.Repeat("x", corpus.MaxPassageBytes) + "\n"
			d.Passages, d.Links = []corpus.Passage{{StartLine: 1, EndLine: 1}}, nil
		}, "65537 bytes; the limit is 65536 bytes"},
		{"deep heading path", func(d *corpus.Document) { d.Passages[0].HeadingPath = make([]string, 17) }, "17 headings"},
		{"link from nowhere", func(d *corpus.Document) { d.Links[0].Passage = 2 }, "passage 2 of 2"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			docs := documents()
			tt.change(&docs[3])
			_, err := corpus.Write(&bytes.Buffer{}, docs, nil)
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("Write: %v, want %q", err, tt.want)
			}
		})
	}
	if _, err := corpus.Write(&bytes.Buffer{}, nil, nil); err == nil {
		t.Error("Write of no documents succeeded")
	}
}

// Two libraries whose names nest can meet in one source_id; build refuses that by name.
func TestWriteRefusesTwins(t *testing.T) {
	docs := documents()
	twin := docs[3]
	twin.Library = "rope"
	docs = append(docs, twin)
	if _, err := corpus.Write(&bytes.Buffer{}, docs, nil); err == nil || !strings.Contains(err.Error(), `"rope/a.md" of version "1.0" is there twice`) {
		t.Errorf("Write of twins: %v", err)
	}
	docs = documents()
	nested := docs[3]
	nested.Library, nested.SourceID = "rope/sub", "rope/sub/a.md"
	plain := docs[3]
	plain.SourceID = "rope/sub/a.md"
	if _, err := corpus.Write(&bytes.Buffer{}, []corpus.Document{nested, plain}, nil); err == nil || !strings.Contains(err.Error(), "twice") {
		t.Errorf("Write of nested twins: %v", err)
	}
}

// Any changed byte and any truncation is refused.
func TestOpenChanged(t *testing.T) {
	data, lock := write(t, documents())
	for i := range data {
		changed := bytes.Clone(data)
		changed[i] ^= 0x10
		if _, err := corpus.Open(changed, pin(t, lock)); !errors.Is(err, corpus.ErrFileHash) {
			t.Fatalf("Open with byte %d changed: %v, want a hash mismatch", i, err)
		}
		if _, err := corpus.Open(data[:i], pin(t, lock)); !errors.Is(err, corpus.ErrFileHash) {
			t.Fatalf("Open cut to %d bytes: %v, want a hash mismatch", i, err)
		}
	}
	if _, err := corpus.Open(append(bytes.Clone(data), 0), pin(t, lock)); !errors.Is(err, corpus.ErrFileHash) {
		t.Errorf("Open with a byte more: %v, want a hash mismatch", err)
	}
	if _, err := corpus.Open(data, digest.Of(nil)); !errors.Is(err, corpus.ErrFileHash) {
		t.Errorf("Open with another pin: %v, want a hash mismatch", err)
	}
}

// reseal replaces the footer of a snapshot by one that fits its payload, as the maker of a hostile file would.
func reseal(data []byte) ([]byte, digest.Sum) {
	n := binary.LittleEndian.Uint64(data[len(data)-16:])
	out := bytes.Clone(data[:n])
	var footer []byte
	for i := uint64(0); i < n; i += chunkfile.ChunkBytes {
		sum := sha256.Sum256(out[i:min(i+chunkfile.ChunkBytes, n)])
		footer = append(footer, sum[:]...)
	}
	footer = append(footer, data[len(data)-16:]...)
	return append(out, footer...), digest.Of(footer)
}

// touch reads everything in a corpus; errors are welcome, panics are not.
func touch(c *corpus.Corpus) {
	c.Verify()
	for i := range c.Documents() {
		if d, err := c.Document(i); err == nil {
			c.DocumentText(d)
			c.Find(c.Versions()[0], d.SourceID)
		}
	}
	for i := range c.Passages() {
		c.Links(i)
		if p, err := c.Passage(i); err == nil {
			c.HeadingPath(p)
			c.Anchors(p)
			if d, err := c.Document(p.Document); err == nil {
				c.PassageText(d, p)
			}
		}
	}
}

// A hostile file whose hashes fit is an error, never a panic: every byte of the tables is set to several values.
func TestOpenHostile(t *testing.T) {
	data, _ := write(t, documents())
	n := int(binary.LittleEndian.Uint64(data[len(data)-16:]))
	for i := range n {
		for _, v := range []byte{0x00, 0x7f, 0x80, 0xff} {
			changed := bytes.Clone(data)
			changed[i] = v
			sealed, tree := reseal(changed)
			if c, err := corpus.Open(sealed, tree); err == nil {
				touch(c)
			}
		}
	}
}

func FuzzOpen(f *testing.F) {
	data, _ := write(f, documents())
	f.Add(data[:len(data)-16-32])
	f.Fuzz(func(t *testing.T, payload []byte) {
		payload = append(bytes.Clone(payload), make([]byte, 8)...)
		binary.LittleEndian.PutUint64(payload[len(payload)-8:], uint64(len(payload)-8))
		sealed, tree := reseal(append(payload, "docpinT1"...))
		if c, err := corpus.Open(sealed, tree); err == nil && len(c.Versions()) > 0 {
			touch(c)
		}
	})
}

func TestOpenFile(t *testing.T) {
	data, lock := write(t, documents())
	lockText, err := corpus.AppendLock(nil, lock)
	if err != nil {
		t.Fatal(err)
	}
	tree, other := pin(t, lock), digest.Of(nil)
	longer := lock
	longer.Bytes++
	longerText, _ := corpus.AppendLock(nil, longer)
	renamed := lock
	renamed.CorpusID = gen.Digest(other.String())
	renamedText, _ := corpus.AppendLock(nil, renamed)
	tests := []struct {
		name string
		lock []byte
		pin  *digest.Sum
		want string // in the error; empty for success
	}{
		{"lock", lockText, nil, ""},
		{"pin", nil, &tree, ""},
		{"lock and pin", lockText, &tree, ""},
		{"lock with CRLF", bytes.ReplaceAll(lockText, []byte("\n"), []byte("\r\n")), nil, ""},
		{"neither", nil, nil, "has no lock"},
		{"other pin", nil, &other, "snapshot_file_hash_mismatch"},
		{"lock and other pin", lockText, &other, "snapshot_file_hash_mismatch"},
		{"lock of another size", longerText, nil, "snapshot_file_hash_mismatch"},
		{"lock of another corpus_id", renamedText, nil, "snapshot_file_hash_mismatch"},
		{"empty lock", []byte{}, nil, "lock"},
		{"lock without members", []byte("{}"), nil, "missing"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "x.docpin")
			if err := os.WriteFile(path, data, 0o600); err != nil {
				t.Fatal(err)
			}
			if tt.lock != nil {
				if err := os.WriteFile(corpus.LockPath(path), tt.lock, 0o600); err != nil {
					t.Fatal(err)
				}
			}
			c, err := corpus.OpenFile(path, corpus.FileOptions{Pin: tt.pin})
			switch {
			case tt.want == "" && err != nil:
				t.Errorf("OpenFile: %v", err)
			case tt.want == "" && c.CheckLock(path) != nil:
				t.Errorf("CheckLock: %v", c.CheckLock(path))
			case tt.want != "" && (err == nil || !strings.Contains(err.Error(), tt.want)):
				t.Errorf("OpenFile: %v, want %q", err, tt.want)
			}
		})
	}
	if _, err := corpus.OpenFile(t.TempDir(), corpus.FileOptions{Pin: &tree}); err == nil {
		t.Error("OpenFile of a folder succeeded")
	}
}

// What was written can be taken out again, and gives the same file.
func TestExport(t *testing.T) {
	want, _ := write(t, documents())
	docs, err := open(t, documents()).Export()
	if err != nil {
		t.Fatal(err)
	}
	if got, _ := write(t, docs); !bytes.Equal(got, want) {
		t.Error("a snapshot of exported documents differs")
	}
}

// A snapshot that is checked lazily opens, and what of it was changed fails when it is read.
func TestOpenLazy(t *testing.T) {
	data, lock := write(t, documents())
	if c, err := corpus.OpenLazy(data, pin(t, lock)); err != nil {
		t.Fatal(err)
	} else if _, err := c.Verify(); err != nil {
		t.Fatal(err)
	}
	for i := 0; i < len(data); i += 97 {
		changed := bytes.Clone(data)
		changed[i] ^= 1
		c, err := corpus.OpenLazy(changed, pin(t, lock))
		if err == nil {
			_, err = c.Verify()
		}
		if err == nil {
			t.Fatalf("byte %d is changed, and nothing says so", i)
		}
	}
}
