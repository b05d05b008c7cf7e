package retrieval

import (
	"context"
	"encoding/binary"

	"docpin/gen"
	"docpin/internal/digest"
)

// maxVersions is the largest number of versions that [Service.Info] lists.
const maxVersions = 4096

// Info says what is served.
func (s *Service) Info(ctx context.Context) (gen.CorpusInfo, error) {
	return guarded(ctx, s, func() (gen.CorpusInfo, error) {
		info := gen.CorpusInfo{
			CorpusID: s.corpusID, TreeSha256: gen.Digest(s.corpus.Tree().String()), Ranking: Ranking,
			Documents: int(s.corpus.Documents()), Passages: int(s.corpus.Passages()), Versions: []gen.ServedVersion{},
		}
		for _, v := range s.corpus.Versions()[:min(len(s.corpus.Versions()), maxVersions)] {
			info.Versions = append(info.Versions, gen.ServedVersion{
				Library: gen.Library(v.Library), Version: gen.Version(v.Version),
				Documents: int(v.Documents), Passages: int(v.Passages), TextBytes: int(v.TextBytes),
			})
		}
		return info, nil
	})
}

// Ready reports whether the corpus is served: it has not been withdrawn.
func (s *Service) Ready() bool { return !s.withdrawn.Load() }

// Passages enumerates the passages of one version in the order of documents and lines, a page at a time. The arguments
// must be valid by schema. It issues nothing: what it lists is found by a search or read from the snapshot. Refusals:
// library_required, invalid_cursor, corpus_corrupt, unavailable.
func (s *Service) Passages(ctx context.Context, args gen.ListPassagesArguments) (gen.PassageList, error) {
	return guarded(ctx, s, func() (gen.PassageList, error) {
		version, err := s.resolve(args.Version, args.Library)
		if err != nil {
			return gen.PassageList{}, err
		}
		list := gen.PassageList{
			CorpusID: s.corpusID, Version: args.Version, Library: args.Library, Limit: args.Limit, Cursor: args.Cursor, Passages: []gen.ListedPassage{},
		}
		if version < 0 {
			err = s.absent(&list)
		} else {
			err = s.list(&list, version)
		}
		if err != nil {
			return gen.PassageList{}, err
		}
		list.ResultSha256 = gen.Digest(digest.Of(list.AppendCanonical(nil, "result_sha256")).String())
		return list, nil
	})
}

func (s *Service) absent(list *gen.PassageList) error {
	if list.Cursor != nil {
		return invalidCursor("the corpus lacks the version or library")
	}
	for _, a := range s.available(list.Library) {
		list.AvailableVersions = append(list.AvailableVersions, gen.ListedVersion(a))
	}
	return nil
}

// list adds the passages of a page and the cursor of the next.
func (s *Service) list(list *gen.PassageList, version int) error {
	v := s.corpus.Versions()[version]
	first, err := s.listFrom(list, version)
	if err != nil {
		return err
	}
	end := v.FirstPassage + v.Passages
	for n := first; n < end; n++ {
		at, err := s.locate(n)
		if err != nil {
			return err
		}
		if len(list.Passages) == list.Limit {
			next := s.listCursor(list, version, n-1, gen.Digest(list.Passages[list.Limit-1].PassageID))
			list.NextCursor = &next
			return nil
		}
		p, err := s.listed(at)
		if err != nil {
			return err
		}
		list.Passages = append(list.Passages, p)
	}
	return nil
}

func (s *Service) listed(at place) (gen.ListedPassage, error) {
	path, err := s.corpus.HeadingPath(at.passage)
	if err != nil {
		return gen.ListedPassage{}, err
	}
	url, err := s.url(at)
	d, p := &at.document, &at.passage
	return gen.ListedPassage{
		PassageID: gen.Digest(p.ID.String()), SourceID: d.SourceID, DocumentRevision: gen.Digest(d.Revision.String()),
		SourceSha256: gen.Digest(d.TextSHA256.String()), StartLine: p.StartLine, EndLine: p.EndLine,
		TextSha256: gen.Digest(p.TextSHA256.String()), ByteCount: p.Bytes, Title: d.Title, HeadingPath: path, URL: url,
	}, err
}

// listFrom returns the passage that a page begins with: the first, or the one behind that of the cursor.
func (s *Service) listFrom(list *gen.PassageList, version int) (uint32, error) {
	v := s.corpus.Versions()[version]
	if list.Cursor == nil {
		return v.FirstPassage, nil
	}
	b, err := cursorEncoding.DecodeString(*list.Cursor)
	if err != nil || len(b) != listCursorBytes {
		return 0, invalidCursor("it is no next_cursor of any page")
	}
	n := binary.BigEndian.Uint32(b[32:])
	if n < v.FirstPassage || n-v.FirstPassage >= v.Passages {
		return 0, invalidCursor("it names no passage of this version")
	}
	at, err := s.locate(n)
	if err != nil {
		return 0, err
	}
	if s.listCursor(list, version, n, gen.Digest(at.passage.ID.String())) != *list.Cursor {
		return 0, invalidCursor("it belongs to another corpus, version or limit")
	}
	return n + 1, nil
}

// listCursorBytes is the length of a cursor in bytes before base64: a digest and the number of a passage.
const listCursorBytes = 32 + 4

// listCursor returns the cursor of the page behind a passage. It is bound to corpus, version and limit.
func (s *Service) listCursor(list *gen.PassageList, version int, passage uint32, id gen.Digest) string {
	v := s.corpus.Versions()[version]
	key := gen.PassageList{
		CorpusID: s.corpusID, Version: gen.Version(v.Version), Library: (*gen.Library)(&v.Library), Limit: list.Limit, ResultSha256: id,
	}
	sum := digest.Of(key.AppendCanonical(nil, ""))
	return cursorEncoding.EncodeToString(binary.BigEndian.AppendUint32(sum[:], passage))
}
