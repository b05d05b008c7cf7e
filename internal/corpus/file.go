package corpus

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"

	"docpin/gen"
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
	b, err := readRegular(path, maxLockBytes)
	if err != nil {
		return gen.CorpusLock{}, err
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

// OpenFile opens the snapshot at path. It is pinned by pin, a tree_sha256, or by the lock beside it; with both, both
// must hold, and with neither nothing is opened. The errors are those of [Open].
func OpenFile(path string, pin *digest.Sum) (*Corpus, error) {
	data, err := readRegular(path, 0)
	if err != nil {
		return nil, err
	}
	lock, err := lockOf(path, data)
	switch {
	case errors.Is(err, fs.ErrNotExist) && pin != nil:
		return Open(data, *pin)
	case errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("snapshot %q has no lock %q beside it; put it there or give the tree_sha256 with --pin", path, LockPath(path))
	case err != nil:
		return nil, err
	case len(data) != lock.Bytes:
		return nil, fmt.Errorf("%w: %q has %d bytes, its lock says %d bytes", ErrFileHash, path, len(data), lock.Bytes)
	}
	tree, err := digest.Parse(string(lock.TreeSha256))
	if err != nil {
		return nil, err
	}
	if pin != nil && *pin != tree {
		return nil, fmt.Errorf("%w: the lock of %q pins tree_sha256 %s, --pin is %s", ErrFileHash, path, tree, pin)
	}
	c, err := Open(data, tree)
	if err != nil {
		return nil, err
	}
	if string(lock.CorpusID) != c.ID().String() {
		return nil, fmt.Errorf("%w: corpus_id is %s, the lock of %q says %s", ErrFileHash, c.ID(), path, lock.CorpusID)
	}
	return c, nil
}

// lockOf returns the lock beside a snapshot: the one that pins data if a build was interrupted and left two.
func lockOf(path string, data []byte) (gen.CorpusLock, error) {
	lock, err := ReadLock(LockPath(path))
	if err == nil && pins(lock, data) {
		return lock, nil
	}
	if next, nextErr := ReadLock(NextLockPath(path)); nextErr == nil && pins(next, data) {
		return next, nil
	}
	return lock, err
}

// pins reports whether lock is of the snapshot in data, as far as its footer tells.
func pins(lock gen.CorpusLock, data []byte) bool {
	payload, _, err := splitFooter(data)
	return err == nil && string(lock.TreeSha256) == digest.Of(data[len(payload):]).String()
}

// readRegular reads a regular file of at most limit bytes; 0 is no limit.
func readRegular(path string, limit int64) ([]byte, error) {
	st, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if !st.Mode().IsRegular() {
		return nil, fmt.Errorf("%q is not a regular file", path)
	}
	if limit > 0 && st.Size() > limit {
		return nil, fmt.Errorf("%q has %d bytes; the limit is %d bytes", path, st.Size(), limit)
	}
	return os.ReadFile(path)
}

// CheckLock checks what [OpenFile] does not need: the SHA-256 of the whole snapshot at path and the summary of versions
// in the lock beside it. Without a lock there is nothing to check.
func (c *Corpus) CheckLock(path string) error {
	data, err := readRegular(path, 0)
	if err != nil {
		return err
	}
	lock, err := lockOf(path, data)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	if sum := digest.Of(data); string(lock.SnapshotSha256) != sum.String() {
		return fmt.Errorf("%w: snapshot_sha256 is %s, the lock says %s", ErrFileHash, sum, lock.SnapshotSha256)
	}
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

// locked returns the entry for v in a lock.
func (v Version) locked() gen.LockedVersion {
	return gen.LockedVersion{
		Library: gen.Library(v.Library), Version: gen.Version(v.Version),
		Documents: int(v.Documents), Passages: int(v.Passages), TextBytes: int(v.TextBytes),
	}
}
