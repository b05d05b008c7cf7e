package record

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"

	"docpin/gen"
	"docpin/internal/client"
	"docpin/internal/identity"
)

// The words and labels that no corpus is expected to hold.
const (
	absentWord    = "zzunmatched"
	absentVersion = "9.99"
)

const zeros = gen.Digest("0000000000000000000000000000000000000000000000000000000000000000")

// main runs the cases of one long-lived server process.
func (s *script) main() error {
	var err error
	if s.o.URL != "" {
		s.rec.ServerURL = &s.o.URL
		s.proc, err = connect(s.ctx, &s.frames, mainProcess, s.o)
	} else {
		s.proc, err = start(s.ctx, &s.frames, mainProcess, s.o.Command, s.o)
	}
	if err != nil {
		return s.noSession(err)
	}
	said := s.proc.session.Initialize()
	s.rec.ProtocolVersion, s.rec.ServerName, s.rec.ServerVersion = said.ProtocolVersion, said.ServerInfo.Name, said.ServerInfo.Version
	if s.rec.Tools, err = s.tools(); err != nil {
		return errors.Join(err, s.proc.stop())
	}
	s.answers()
	if len(s.first.Results) == 0 {
		return errors.Join(fmt.Errorf("the search for %q in version %q has no result; choose words that match with --query and --release", s.o.Query, s.o.Release), s.proc.stop())
	}
	s.rec.CorpusID = s.first.CorpusID
	s.refusals()
	return s.end()
}

// answers asks what a server must answer.
func (s *script) answers() {
	args := s.arguments(s.o.Query, s.o.Release, s.o.Library)
	s.call(caseSearch, canonical(&args), func(raw json.RawMessage, err error) (string, error) {
		r, err := checkSearch(raw, err, args)
		s.first = r
		if err == nil && (len(r.Results) == 0 || len(r.Results) > 2) {
			err = fmt.Errorf("%d handles", len(r.Results))
		}
		return fmt.Sprintf("%d handles, all digests hold", len(r.Results)), err
	})
	if len(s.first.Results) == 0 {
		return
	}
	h := s.first.Results[0]
	s.read("read-issued-handle", gen.ReadDocumentationArguments{Handle: &h}, h)
	read := s.read("read-issued-token", gen.ReadDocumentationArguments{ReadToken: &h.ReadToken}, h)
	s.nextPage(args)
	s.shapes(args)
	s.readOn(&read)
	s.empty(caseNoMatch, s.arguments(absentWord, s.o.Release, s.o.Library), false)
	available := s.empty(caseAbsentVersion, s.arguments(s.o.Query, absentVersion, ""), true)
	s.other(available)
}

// read expects the passage of h.
func (s *script) read(id string, args gen.ReadDocumentationArguments, h gen.Handle) (r gen.ReadResult) {
	s.call(id, args.AppendCanonical(nil, ""), func(raw json.RawMessage, err error) (string, error) {
		if err != nil {
			return "", err
		}
		r, err = gen.DecodeReadResult(raw)
		if err == nil {
			err = client.CheckReadOf(&h, &r)
		}
		return fmt.Sprintf("%d bytes of %s, all digests hold", r.ByteCount, r.SourceID), err
	})
	return r
}

// nextPage follows the cursor of the first search.
func (s *script) nextPage(args gen.SearchDocumentationArguments) {
	if s.first.NextCursor == nil {
		s.skip(caseNextPage, "the first page is the only one: nothing to ask")
		return
	}
	args.Cursor = s.first.NextCursor
	s.call(caseNextPage, canonical(&args), func(raw json.RawMessage, err error) (string, error) {
		r, err := checkSearch(raw, err, args)
		if err == nil {
			err = checkFollows(&s.first, &r)
		}
		return fmt.Sprintf("%d handles from rank %d", len(r.Results), len(s.first.Results)+1), err
	})
}

// checkFollows checks that next is the page behind first.
func checkFollows(first, next *gen.SearchResult) error {
	if len(next.Results) == 0 || next.Results[0].Rank != len(first.Results)+1 {
		return failed("outcome", "/results", "is not the page behind rank %d", len(first.Results))
	}
	for _, a := range first.Results {
		for _, b := range next.Results {
			if a.PassageID == b.PassageID {
				return failed("outcome", "/results", "repeats passage %s", a.PassageID)
			}
		}
	}
	return nil
}

// shapes asks the first search again in the other shapes, and reads what the first body gives.
func (s *script) shapes(args gen.SearchDocumentationArguments) {
	args.Format = gen.SearchDocumentationArgumentsFormatStubs
	s.call(caseStubs, canonical(&args), func(raw json.RawMessage, err error) (string, error) {
		r, err := checkSearch(raw, err, args)
		if err == nil {
			err = checkShape(caseStubs, &r)
		}
		return fmt.Sprintf("%d stubs, %d hubs, %d bytes where handles have %d", len(r.Stubs), len(r.Hubs), len(raw), len(s.first.AppendCanonical(nil, ""))), err
	})
	args.Format = gen.SearchDocumentationArgumentsFormatBodies
	var found gen.SearchResult
	s.call(caseBodies, canonical(&args), func(raw json.RawMessage, err error) (string, error) {
		r, err := checkSearch(raw, err, args)
		if err == nil {
			err = checkShape(caseBodies, &r)
		}
		found = r
		return fmt.Sprintf("%d bodies, %d omitted, %d references", len(r.Bodies), len(r.Omitted), len(r.References)), err
	})
	if len(found.Bodies) == 0 {
		s.skip(caseBody, "no hit fits into max_bytes: nothing to read")
		return
	}
	body := &found.Bodies[0]
	token := gen.ReadDocumentationArguments{ReadToken: &body.ReadToken}
	s.call(caseBody, token.AppendCanonical(nil, ""), func(raw json.RawMessage, err error) (string, error) {
		if err == nil && string(raw) != string(body.AppendCanonical(nil, "")) {
			err = errors.New("the read differs from the body")
		}
		return "the first body, byte for byte", err
	})
}

// readOn reads the passage beside the one that was read.
func (s *script) readOn(read *gen.ReadResult) {
	token, where := read.NextReadToken, "after"
	if token == nil {
		token, where = read.PreviousReadToken, "before"
	}
	if token == nil {
		s.skip(caseReadOn, "the document is one passage: nothing to read on")
		return
	}
	args := gen.ReadDocumentationArguments{ReadToken: token}
	s.call(caseReadOn, args.AppendCanonical(nil, ""), func(raw json.RawMessage, err error) (string, error) {
		if err != nil {
			return "", err
		}
		r, err := gen.DecodeReadResult(raw)
		if err == nil {
			err = checkToken(*token, &r)
		}
		return fmt.Sprintf("lines %d to %d of the same document, %s those that were read", r.StartLine, r.EndLine, where), err
	})
}

// checkToken checks a read by a token alone.
func checkToken(token gen.Digest, r *gen.ReadResult) error {
	if r.ReadToken != token {
		return failed("issued", "/read_token", "is another token than was sent")
	}
	return client.CheckRead(r)
}

// empty expects no results, and what is available exactly if the version is absent.
func (s *script) empty(id string, args gen.SearchDocumentationArguments, absent bool) (available []gen.AvailableVersion) {
	s.call(id, canonical(&args), func(raw json.RawMessage, err error) (string, error) {
		r, err := checkSearch(raw, err, args)
		available = r.AvailableVersions
		if err == nil && (len(r.Results) != 0 || (len(available) > 0) != absent) {
			err = fmt.Errorf("%d results, %d available versions", len(r.Results), len(available))
		}
		return stepOf(id).expected, err
	})
	return available
}

// other searches another version than the first search, if there is one: every hit must be of that version.
func (s *script) other(available []gen.AvailableVersion) {
	for _, a := range available {
		if string(a.Version) == s.o.Release || (s.o.Library != "" && string(a.Library) != s.o.Library) || !strings.HasPrefix(s.first.Results[0].SourceID, string(a.Library)+"/") {
			continue
		}
		args := s.arguments("read", string(a.Version), string(a.Library))
		s.call(caseOtherVersion, canonical(&args), func(raw json.RawMessage, err error) (string, error) {
			r, err := checkSearch(raw, err, args)
			return fmt.Sprintf("%d handles of version %s", len(r.Results), r.Version), err
		})
		return
	}
	s.skip(caseOtherVersion, "the corpus holds one version of the library: nothing to ask")
}

// refusals asks what a server must refuse.
func (s *script) refusals() {
	h := s.first.Results[0]
	args := s.arguments(s.o.Query, s.o.Release, s.o.Library)
	s.refused("search-boolean-k", with(canonical(&args), `"k":2`, `"k":true`))
	s.refused("search-unknown-argument", with(canonical(&args), `{`, `{"unexpected":1,`))
	s.refused(caseUnknownFormat, with(canonical(&args), `"format":"results"`, `"format":"everything"`))
	noQuery := gen.SearchDocumentationArguments{Version: args.Version, K: args.K, Library: args.Library, Format: gen.SearchDocumentationArgumentsFormatStubs}
	s.refused(caseNoQuery, noQuery.AppendCanonical(nil, "query"))
	cursor := args
	cursor.Cursor = new("forged")
	foreign := cursor
	foreign.Format = gen.SearchDocumentationArgumentsFormatStubs
	s.refused(caseForeign, canonical(&foreign))
	s.refused(caseForgedCursor, canonical(&cursor))
	unissued, stale, edited := h, h, h
	unissued.SearchRequestID = zeros
	stale.CorpusID = zeros
	edited.ByteCount++
	s.refused(caseUnissued, handleArguments(unissued))
	s.refused(caseStale, handleArguments(stale))
	s.refused(caseEdited, handleArguments(edited))
	s.call("unknown-tool", json.RawMessage(`{}`), func(_ json.RawMessage, err error) (string, error) {
		var e *jsonrpc.Error
		if !errors.As(err, &e) || e.Code != jsonrpc.CodeInvalidParams {
			return "", fmt.Errorf("got %w", errOr(err))
		}
		return rpcError(e.Code), nil
	})
}

// refused expects the refusal of the script.
func (s *script) refused(id string, args json.RawMessage) {
	s.call(id, args, func(_ json.RawMessage, err error) (string, error) {
		var e *client.RefusedError
		if !errors.As(err, &e) || refusedAs(e.Refusal) != stepOf(id).expected {
			return "", fmt.Errorf("got %w", errOr(err))
		}
		return refusedAs(e.Refusal), nil
	})
}

// fresh reads the first handle in a new process, which knows it only once it has issued the search itself.
func (s *script) fresh() error {
	if s.o.URL != "" {
		s.skipProcess(freshProcess)
		return nil
	}
	var err error
	if s.proc, err = start(s.ctx, &s.frames, freshProcess, s.o.Command, s.o); err != nil {
		return s.noSession(err)
	}
	h := s.first.Results[0]
	s.refused("fresh-read-before-search", handleArguments(h))
	args := s.arguments(s.o.Query, s.o.Release, s.o.Library)
	s.call(caseFreshSearch, canonical(&args), func(raw json.RawMessage, err error) (string, error) {
		r, err := checkSearch(raw, err, args)
		if err == nil && *r.ResultSha256 != *s.first.ResultSha256 {
			err = errors.New("the result differs from the first process's")
		}
		return "the same result as before", err
	})
	s.read("fresh-read-after-search", gen.ReadDocumentationArguments{Handle: &h}, h)
	return s.end()
}

// end closes the server in hand and records it.
func (s *script) end() error {
	if err := errors.Join(s.proc.session.Close(), s.proc.stop()); err != nil {
		return err
	}
	if s.proc.cmd != nil {
		s.rec.Processes = append(s.rec.Processes, s.proc.record())
	}
	return nil
}

func (s *script) arguments(query, version, library string) gen.SearchDocumentationArguments {
	a := gen.SearchDocumentationArguments{Query: gen.Query(query), Version: gen.Version(version), K: 2, Format: identity.DefaultFormat}
	if library != "" {
		l := gen.Library(library)
		a.Library = &l
	}
	return a
}

func canonical(a *gen.SearchDocumentationArguments) json.RawMessage {
	return a.AppendCanonical(nil, "")
}

func handleArguments(h gen.Handle) json.RawMessage {
	a := gen.ReadDocumentationArguments{Handle: &h}
	return a.AppendCanonical(nil, "")
}

// with returns args with the first old replaced.
func with(args json.RawMessage, old, new string) json.RawMessage {
	return json.RawMessage(strings.Replace(string(args), old, new, 1))
}

// checkSearch decodes a search result and checks it against its call.
func checkSearch(raw json.RawMessage, err error, args gen.SearchDocumentationArguments) (gen.SearchResult, error) {
	if err != nil {
		return gen.SearchResult{}, err
	}
	r, err := gen.DecodeSearchResult(raw)
	if err != nil {
		return gen.SearchResult{}, err
	}
	return r, client.CheckSearchCall(args, "", &r)
}

func errOr(err error) error {
	if err == nil {
		return errors.New("a result")
	}
	return err
}

// noSession says why there is no session with the server in hand, with the end of what it wrote to standard error.
func (s *script) noSession(err error) error {
	if s.o.URL != "" {
		return fmt.Errorf("server %q: %w", s.o.URL, err)
	}
	if s.proc == nil {
		return fmt.Errorf("server %q: %w", s.o.Command, err)
	}
	stderr := strings.TrimSpace(s.proc.stderr.String())
	return fmt.Errorf("server %q opened no session: %w; its standard error ends: %q", s.o.Command, err, stderr[max(0, len(stderr)-512):])
}
