package httpserver

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"mime"
	"net/http"
	"net/url"
	"os"
	"strings"
	"unicode/utf8"

	"docpin/gen"
	"docpin/internal/answer"
	"docpin/internal/digest"
)

// The shapes that a route can fix.
const (
	stubs  = string(gen.SearchDocumentationArgumentsFormatStubs)
	bodies = string(gen.SearchDocumentationArgumentsFormatBodies)
)

// integers are the members that a query string gives as JSON numbers.
var integers = map[string]bool{"k": true, "max_bytes": true, "limit": true}

// searchByQuery answers searches whose arguments are the query, in the shape that the route fixes if that is not empty.
func (s *Server) searchByQuery(format string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		arguments, err := argumentsOf(r.URL.RawQuery)
		if err != nil {
			s.reply(w, r, s.answerer.Refuse(r.URL.Path, invalid(err)))
			return
		}
		s.search(w, r, format, arguments)
	}
}

// searchByObject answers searches whose arguments are the body.
func (s *Server) searchByObject(format string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if arguments, ok := s.body(w, r); ok {
			s.search(w, r, format, arguments)
		}
	}
}

func (s *Server) search(w http.ResponseWriter, r *http.Request, format string, arguments []byte) {
	var reply answer.Reply
	if !s.work(w, func() {
		if format != "" {
			arguments = withFormat(arguments, format)
		}
		reply = s.answerer.Search(r.Context(), r.URL.Path, arguments)
	}) {
		return
	}
	if given := reply.Refusal; format != "" && given != nil && given.Code == gen.RefusalCodeInvalidArguments {
		reply = answer.Refused(ofRoute(*given, r.URL.Path, format))
	}
	s.reply(w, r, reply)
}

// ofRoute returns the refusal of arguments for a route that fixes the format: it says what the route takes, not what
// another format does.
func ofRoute(given gen.Refusal, path, format string) gen.Refusal {
	switch pointer := *or(given.Pointer); {
	case pointer == "/format" && *or(given.Keyword) != "syntax":
		given.Message, given.Keyword = fmt.Sprintf("%s has the format %s and takes none", path, format), nil
	case pointer != "/cursor" && pointer != "/max_bytes" || given.Keyword != nil:
		return given
	}
	given.Hint = new(fmt.Sprintf("leave %s out, or use /v1/search", strings.TrimPrefix(*given.Pointer, "/")))
	return given
}

func or(s *string) *string {
	if s == nil {
		return new("")
	}
	return s
}

// withFormat adds a format to the text of an argument object. If that has one, it is there twice. A text that does not
// decode is returned as it is, so that the error is of what was sent.
func withFormat(arguments []byte, format string) []byte {
	if _, err := gen.DecodeSearchDocumentationArguments(arguments); err != nil {
		return arguments
	}
	_, members, _ := bytes.Cut(arguments, []byte{'{'}) // query and version at least
	return append(fmt.Appendf(nil, `{"format":%q,`, format), members...)
}

func (s *Server) read(w http.ResponseWriter, r *http.Request) {
	if arguments, ok := s.body(w, r); ok {
		var reply answer.Reply
		if s.work(w, func() { reply = s.answerer.Read(r.Context(), r.URL.Path, arguments) }) {
			s.reply(w, r, reply)
		}
	}
}

func (s *Server) passages(w http.ResponseWriter, r *http.Request) {
	arguments, err := argumentsOf(r.URL.RawQuery)
	if err != nil {
		s.invalid(w, err)
		return
	}
	var reply answer.Reply
	if s.work(w, func() {
		var list gen.PassageList
		_, list, reply = answer.Call(r.Context(), s.o.Log, arguments, gen.DecodeListPassagesArguments, s.service.Passages)
		reply.Digest = list.ResultSha256
	}) {
		s.reply(w, r, reply)
	}
}

func (s *Server) corpus(w http.ResponseWriter, r *http.Request) {
	if !s.noQuery(w, r) {
		return
	}
	info, err := s.service.Info(r.Context())
	if err != nil {
		s.reply(w, r, answer.Refuse(r.Context(), err, s.o.Log))
		return
	}
	text := info.AppendCanonical(nil, "")
	s.reply(w, r, answer.Reply{Text: text, Digest: gen.Digest(digest.Of(text).String())})
}

func (s *Server) openAPI(w http.ResponseWriter, r *http.Request) {
	if !s.noQuery(w, r) {
		return
	}
	text := gen.OpenAPI()
	s.reply(w, r, answer.Reply{Text: text, Digest: gen.Digest(digest.Of(text).String())})
}

const wellText = `{"status":"ok"}`

func (s *Server) health(w http.ResponseWriter, r *http.Request) {
	if s.noQuery(w, r) {
		s.reply(w, r, answer.Reply{Text: []byte(wellText)})
	}
}

func (s *Server) ready(w http.ResponseWriter, r *http.Request) {
	switch {
	case !s.noQuery(w, r):
	case s.stopping.Load():
		s.refuse(w, gen.Refusal{Code: gen.RefusalCodeUnavailable, Message: "the server is shutting down", Hint: new("try again at a running server")})
	case !s.service.Ready():
		s.refuse(w, gen.Refusal{Code: gen.RefusalCodeCorpusCorrupt, Message: "the served corpus failed a check and was withdrawn"})
	default:
		s.reply(w, r, answer.Reply{Text: []byte(wellText)})
	}
}

// reply writes an answer, or 304 if the client has it.
func (s *Server) reply(w http.ResponseWriter, r *http.Request, reply answer.Reply) {
	if reply.Refusal != nil {
		s.refuse(w, *reply.Refusal)
		return
	}
	if reply.Digest != "" {
		tag := `"` + string(reply.Digest) + `"`
		w.Header().Set("ETag", tag)
		if r.Method != http.MethodPost && matches(r.Header.Values("If-None-Match"), tag) {
			w.WriteHeader(http.StatusNotModified)
			return
		}
	}
	s.write(w, http.StatusOK, reply.Text)
}

// matches reports whether If-None-Match names tag, by the weak comparison of RFC 9110, section 8.8.3.2. Its lines are one
// list of entity tags, which is read up to a fault, or a star alone.
func matches(lines []string, tag string) bool {
	list := strings.Trim(strings.Join(lines, ","), " \t")
	if list == "*" {
		return true
	}
	for {
		opening, ok := strings.CutPrefix(strings.TrimPrefix(strings.TrimLeft(list, ", \t"), "W/"), `"`)
		opaque, rest, closed := strings.Cut(opening, `"`)
		rest = strings.TrimLeft(rest, " \t")
		if !ok || !closed || rest != "" && rest[0] != ',' {
			return false
		}
		if `"`+opaque+`"` == tag {
			return true
		}
		list = rest
	}
}

// hasJSON reports whether a request says that its body is JSON.
func hasJSON(r *http.Request) bool {
	kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	return err == nil && kind == "application/json"
}

// body reads the arguments of a request that has them in its body. If it can't, it answers, and returns false.
func (s *Server) body(w http.ResponseWriter, r *http.Request) ([]byte, bool) {
	if !s.noQuery(w, r) {
		return nil, false
	}
	if !hasJSON(r) {
		problem(w, http.StatusUnsupportedMediaType, fmt.Sprintf("Content-Type is %.128q; want application/json", r.Header.Get("Content-Type")))
		return nil, false
	}
	b, err := s.readBody(w, r)
	if err != nil {
		s.bodyProblem(w, err)
		return nil, false
	}
	return b, true
}

func (s *Server) bodyProblem(w http.ResponseWriter, err error) {
	var large *http.MaxBytesError
	switch {
	case errors.Is(err, errBusy):
		s.busy(w, err.Error())
	case errors.As(err, &large):
		problem(w, http.StatusRequestEntityTooLarge, fmt.Sprintf("the body is larger than the limit of %d bytes", large.Limit))
	case errors.Is(err, os.ErrDeadlineExceeded):
		problem(w, http.StatusRequestTimeout, "the body did not arrive in time")
	default:
		problem(w, http.StatusBadRequest, "the body could not be read to its end")
	}
}

// noQuery refuses a query where there is none to give.
func (s *Server) noQuery(w http.ResponseWriter, r *http.Request) bool {
	if r.URL.RawQuery == "" {
		return true
	}
	s.invalid(w, fmt.Errorf("%s %s takes no query parameters", r.Method, r.URL.Path))
	return false
}

func (s *Server) invalid(w http.ResponseWriter, err error) { s.refuse(w, invalid(err)) }

func invalid(err error) gen.Refusal {
	return gen.Refusal{Code: gen.RefusalCodeInvalidArguments, Message: answer.Clip(err.Error(), 4096)}
}

// argumentsOf turns a query into the text of an argument object, whatever it holds: the decoder refuses unknown members,
// those given twice and wrong values, as it does for an object. The value of an integer member is a JSON number.
func argumentsOf(query string) ([]byte, error) {
	out := []byte{'{'}
	for pair := range strings.SplitSeq(query, "&") {
		if pair == "" {
			continue
		}
		rawName, rawValue, _ := strings.Cut(pair, "=")
		name, err := unescape(rawName)
		if err != nil {
			return nil, err
		}
		value, err := unescape(rawValue)
		if err != nil {
			return nil, err
		}
		if len(out) > 1 {
			out = append(out, ',')
		}
		out = append(digest.AppendString(out, name), ':')
		if integers[name] && isNumber(value) {
			out = append(out, value...)
		} else {
			out = digest.AppendString(out, value)
		}
	}
	return append(out, '}'), nil
}

func unescape(s string) (string, error) {
	out, err := url.QueryUnescape(s)
	if err != nil {
		return "", fmt.Errorf("the query is not percent-encoded: %w", err)
	}
	if !utf8.ValidString(out) {
		return "", fmt.Errorf("the query holds %.64q, which is not UTF-8", out)
	}
	return out, nil
}

// isNumber reports whether s is a number as JSON writes it.
func isNumber(s string) bool {
	digit := func(c byte) bool { return c >= '0' && c <= '9' }
	return s != "" && (s[0] == '-' || digit(s[0])) && digit(s[len(s)-1]) && json.Valid([]byte(s))
}
