package mcpserver

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"strings"
	"sync"

	"docpin/gen"
)

// A fakeService answers without a corpus. What it does depends on the query, see [fakeService.Search], and
// for reads on the token.
type fakeService struct {
	started chan string   // if set, receives the query of each search that waits
	release chan struct{} // closed to let them go on

	mu   sync.Mutex
	seen []gen.SearchDocumentationArguments
}

// separators holds the characters that are harmless in JSON and yet end a line for some readers.
const separators = "next\u0085line\u2028paragraph\u2029vt\vff\fend"

func (f *fakeService) PassageOf(gen.Digest) (gen.Digest, bool) { return "", false }

func (f *fakeService) Instructions() string { return "docpin serves fake 1.0." }

func (f *fakeService) Search(ctx context.Context, args gen.SearchDocumentationArguments) (gen.SearchResult, error) {
	f.mu.Lock()
	f.seen = append(f.seen, args)
	f.mu.Unlock()
	switch args.Query {
	case "panic":
		panic("secret of a panic")
	case "foreign":
		return gen.SearchResult{}, errors.New("secret of an error")
	case "refused":
		return gen.SearchResult{}, fmt.Errorf("search: %w", &fakeRefusal{gen.Refusal{
			Code: gen.RefusalCodeLibraryRequired, Message: "version 1.0 is in two libraries", Pointer: ptr("/library"),
		}})
	case "overlong":
		return gen.SearchResult{}, &fakeRefusal{gen.Refusal{Code: gen.RefusalCodeInternal, Message: strings.Repeat("x", 5000)}}
	case "invalid":
		return gen.SearchResult{Query: args.Query}, nil
	case "wait":
		f.started <- string(args.Query)
		select {
		case <-f.release:
		case <-ctx.Done():
			return gen.SearchResult{}, fmt.Errorf("search: %w", ctx.Err())
		}
	case "deaf": // to cancellation
		f.started <- string(args.Query)
		<-f.release
	}
	res := gen.SearchResult{
		CorpusID:        digestOf("corpus"),
		SearchRequestID: digestOf("search"),
		Query:           args.Query,
		Version:         args.Version,
		K:               args.K,
		Library:         args.Library,
		Ranking:         ptr("fake-1"),
		Results:         []gen.Handle{},
		Previews:        []gen.Preview{},
		ResultSha256:    ptr(digestOf("result")),
	}
	if args.Query == "nothing" {
		return res, nil
	}
	snippet := separators
	if args.Query == "plain" {
		snippet = strings.Repeat("plain words of documentation ", 8)
	}
	for rank := 1; rank <= args.K; rank++ {
		res.Results = append(res.Results, handle(rank, args.Version))
		res.Previews = append(res.Previews, gen.Preview{
			Rank: rank, Title: "Title", HeadingPath: []string{"Title", "Section <b> & \"c\""},
			URL: "https://docs.example/page.html#section", Snippet: snippet,
		})
	}
	return res, nil
}

func (f *fakeService) Read(_ context.Context, args gen.ReadDocumentationArguments) (gen.ReadResult, error) {
	h := handle(1, "1.0")
	if args.ReadToken != nil && *args.ReadToken != h.ReadToken {
		return gen.ReadResult{}, &fakeRefusal{gen.Refusal{
			Code: gen.RefusalCodeUnissuedSearchReceipt, Message: "no search here issued this token", Hint: ptr("repeat the search"),
		}}
	}
	return gen.ReadResult{
		ByteCount: h.ByteCount, CorpusID: h.CorpusID, DocumentRevision: h.DocumentRevision, EndLine: h.EndLine,
		NativeScore: h.NativeScore, PassageID: h.PassageID, Rank: h.Rank, ReadToken: h.ReadToken,
		SearchRequestID: h.SearchRequestID, SourceID: h.SourceID, SourceSha256: h.SourceSha256,
		StartLine: h.StartLine, TextSha256: h.TextSha256, Version: h.Version,
		ReadRequestID: digestOf("read"), ResultSha256: digestOf("read result"),
		Text: separators + "\n", URL: "https://docs.example/page.html",
	}, nil
}

type fakeRefusal struct{ r gen.Refusal }

func (e *fakeRefusal) Error() string        { return e.r.Message }
func (e *fakeRefusal) Refusal() gen.Refusal { return e.r }

// handle returns the handle of a rank from 1 to 10.
func handle(rank int, version gen.Version) gen.Handle {
	h := handles[rank-1]
	h.Version = version
	return h
}

var handles = func() (hs [10]gen.Handle) {
	for i := range hs {
		rank := i + 1
		hs[i] = gen.Handle{
			CorpusID: digestOf("corpus"), SearchRequestID: digestOf("search"), PassageID: digestOf("passage", rank),
			SourceID: "fake/page.md", DocumentRevision: digestOf("revision"),
			SourceSha256: digestOf("source"), StartLine: rank, EndLine: rank, TextSha256: digestOf(separators + "\n"),
			ByteCount: len(separators) + 1, NativeScore: 1000, Rank: rank, ReadToken: digestOf("token", rank),
		}
	}
	return hs
}()

func digestOf(parts ...any) gen.Digest {
	return gen.Digest(fmt.Sprintf("%x", sha256.Sum256([]byte(fmt.Sprint(parts...)))))
}

func ptr[T any](v T) *T { return &v }
