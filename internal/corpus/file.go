package corpus

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strings"

	"docpin/gen"
	"docpin/internal/chunkfile"
	"docpin/internal/digest"
)

// Ext is the extension of snapshot files.
const Ext = ".docpin"

// maxLockBytes is the largest lock file that is read.
const maxLockBytes = 16 << 20

// LockPath returns the name of the lock beside a snapshot: NAME.lock.json for NAME.docpin.
func LockPath(snapshot string) string { return strings.TrimSuffix(snapshot, Ext) + ".lock.json" }

// AppendLock appends the lock as the text of a lock file.
func AppendLock(dst []byte, l gen.CorpusLock) ([]byte, error) {
	if err := l.Validate(); err != nil {
		return nil, fmt.Errorf("lock: %w", err)
	}
	var b bytes.Buffer
	if err := json.Indent(&b, l.AppendCanonical(nil, ""), "", "  "); err != nil {
		return nil, err
	}
	return append(append(dst, b.Bytes()...), '\n'), nil
}

// ReadLock reads the lock file at path.
func ReadLock(path string) (gen.CorpusLock, error) {
	f, err := chunkfile.OpenRegular(path)
	if err != nil {
		return gen.CorpusLock{}, err
	}
	defer f.Close()
	b, err := io.ReadAll(io.LimitReader(f, maxLockBytes+1))
	if err != nil {
		return gen.CorpusLock{}, err
	}
	if len(b) > maxLockBytes {
		return gen.CorpusLock{}, fmt.Errorf("lock %q is larger than the limit of %d bytes", path, maxLockBytes)
	}
	l, err := gen.DecodeCorpusLock(b)
	if err != nil {
		return gen.CorpusLock{}, fmt.Errorf("lock %q: %w", path, err)
	}
	return l, nil
}

// NextLockPath returns the name under which a build puts the lock of a new snapshot before it replaces the old one. A
// build that is killed between the two renames leaves it there; it then counts as the lock of the new snapshot.
func NextLockPath(snapshot string) string {
	return strings.TrimSuffix(snapshot, Ext) + ".lock.next.json"
}

// FileOptions say how to open a snapshot file.
type FileOptions struct {
	Pin  *digest.Sum // tree_sha256 that the snapshot must have; nil if the lock beside it is enough
	Lazy bool        // map the file and check each chunk when it is first touched
}

// OpenFile opens the snapshot at path. It is pinned by o.Pin or by the lock beside it; with both, both must hold, and
// with neither nothing is opened. A file above [chunkfile.MaxInMemory] is mapped and must be read within
// [Corpus.Guard]. The errors are those of [Open].
func OpenFile(path string, o FileOptions) (*Corpus, error) {
	var lock *gen.CorpusLock
	f, err := chunkfile.OpenPath(path, o.Lazy, func(bytes uint64, tree digest.Sum) (pin digest.Sum, err error) {
		pin, lock, err = pinOf(path, bytes, tree, o.Pin)
		return pin, err
	})
	if err != nil {
		return nil, err
	}
	var c *Corpus
	if err := f.Guard(func() (err error) {
		c, err = open(f)
		return err
	}); err != nil {
		return nil, err
	}
	if lock == nil {
		return c, nil
	}
	if string(lock.CorpusID) != c.ID().String() {
		return nil, fmt.Errorf("%w: corpus_id is %s, the lock of %q says %s", ErrFileHash, c.ID(), path, lock.CorpusID)
	}
	return c, c.checkVersions(lock)
}

// checkVersions compares the summary in a lock with what the snapshot holds.
func (c *Corpus) checkVersions(lock *gen.CorpusLock) error {
	if len(lock.Versions) != len(c.versions) {
		return fmt.Errorf("%w: the snapshot has %d versions, the lock lists %d", ErrFileHash, len(c.versions), len(lock.Versions))
	}
	for i, v := range c.versions {
		if want := v.locked(); lock.Versions[i] != want {
			return fmt.Errorf("%w: library %q version %q differs from entry %d of the lock", ErrFileHash, v.Library, v.Version, i)
		}
	}
	return nil
}

// Guard runs read, which reads the corpus, so that a snapshot file that is cut short or changed while it is served is
// an error that wraps [ErrFileHash], neither a fault nor a wrong answer.
func (c *Corpus) Guard(read func() error) error { return c.file.Guard(read) }

// pinOf returns the tree_sha256 that a snapshot must have, and the lock that says so if there is one.
func pinOf(path string, bytes uint64, tree digest.Sum, pin *digest.Sum) (digest.Sum, *gen.CorpusLock, error) {
	lock, err := lockOf(path, tree)
	switch {
	case errors.Is(err, fs.ErrNotExist) && pin != nil:
		return *pin, nil, nil
	case errors.Is(err, fs.ErrNotExist):
		return digest.Sum{}, nil, fmt.Errorf("snapshot %q has no lock %q beside it; put it there or give the tree_sha256 with --pin", path, LockPath(path))
	case err != nil:
		return digest.Sum{}, nil, err
	case bytes != uint64(lock.Bytes):
		return digest.Sum{}, nil, fmt.Errorf("%w: %q has %d bytes, its lock says %d bytes", ErrFileHash, path, bytes, lock.Bytes)
	}
	locked, err := digest.Parse(string(lock.TreeSha256))
	if err == nil && pin != nil && *pin != locked {
		err = fmt.Errorf("%w: the lock of %q pins tree_sha256 %s, --pin is %s", ErrFileHash, path, locked, pin)
	}
	return locked, &lock, err
}

// lockOf returns the lock beside a snapshot with that tree_sha256: the one that fits, if a build was interrupted and
// left two.
func lockOf(path string, tree digest.Sum) (gen.CorpusLock, error) {
	lock, err := ReadLock(LockPath(path))
	if err == nil && string(lock.TreeSha256) == tree.String() {
		return lock, nil
	}
	if next, nextErr := ReadLock(NextLockPath(path)); nextErr == nil && string(next.TreeSha256) == tree.String() {
		return next, nil
	}
	return lock, err
}

// Lock returns the lock beside the snapshot at path, from which c was opened.
func (c *Corpus) Lock(path string) (gen.CorpusLock, error) { return lockOf(path, c.Tree()) }

// CheckLock checks what [OpenFile] does not need: the SHA-256 of the whole snapshot at path against the lock beside it.
// Without a lock there is nothing to check.
func (c *Corpus) CheckLock(path string) error {
	lock, err := c.Lock(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	if sum := c.file.File(); string(lock.SnapshotSha256) != sum.String() {
		return fmt.Errorf("%w: snapshot_sha256 is %s, the lock says %s", ErrFileHash, sum, lock.SnapshotSha256)
	}
	return nil
}

// locked returns the entry for v in a lock.
func (v Version) locked() gen.LockedVersion {
	return gen.LockedVersion{
		Library: gen.Library(v.Library), Version: gen.Version(v.Version),
		Documents: int(v.Documents), Passages: int(v.Passages), TextBytes: int(v.TextBytes),
	}
}
