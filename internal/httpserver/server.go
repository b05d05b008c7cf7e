// Package httpserver is the second door: MCP over streamable HTTP at /mcp and the same operations as REST under /v1. It
// checks Host and Origin, bounds what a client may take, and answers every refusal of a REST route as a problem (RFC
// 9457) that carries it. The routes are described by gen.OpenAPI.
package httpserver

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"docpin/gen"
	"docpin/internal/answer"
	"docpin/internal/mcpserver"
)

// A Service answers the routes.
type Service interface {
	mcpserver.Service
	Info(context.Context) (gen.CorpusInfo, error)
	Passages(context.Context, gen.ListPassagesArguments) (gen.PassageList, error)
	Ready() bool
}

// Options are the parts of a server that do not come from its service. Version, Log and Limits are required.
type Options struct {
	Version        string
	Log            *slog.Logger
	Note           func(*gen.SearchEvent) // if set, is called with one event for each search and read
	AllowedHosts   []string               // names besides those of the loopback that Host may have, at any port or one
	AllowedOrigins []string               // origins besides the server's own, such as https://app.example
	Limits         Limits
}

// Server serves one service over HTTP.
type Server struct {
	service  Service
	answerer *answer.Answerer
	o        Options
	routes   map[string]map[string]http.HandlerFunc // by path and method
	working  slots                                  // for calls that are being answered
	large    slots                                  // for large bodies and answers under way
	stopping atomic.Bool
}

// New returns a server of svc.
func New(svc Service, o Options) *Server {
	s := &Server{service: svc, answerer: answer.New(svc, o.Log, o.Note), o: o, working: make(slots, o.Limits.Concurrent), large: make(slots, max(1, o.Limits.Concurrent/4))}
	s.routes = map[string]map[string]http.HandlerFunc{
		"/v1/search":    {"GET": s.searchByQuery(""), "POST": s.searchByObject("")},
		"/v1/index":     {"GET": s.searchByQuery(stubs), "POST": s.searchByObject(stubs)},
		"/v1/context":   {"GET": s.searchByQuery(bodies), "POST": s.searchByObject(bodies)},
		"/v1/read":      {"POST": s.read},
		"/v1/passages":  {"GET": s.passages},
		"/v1/corpus":    {"GET": s.corpus},
		"/openapi.json": {"GET": s.openAPI},
		"/healthz":      {"GET": s.health},
		"/readyz":       {"GET": s.ready},
		"/mcp":          {"POST": s.newMCP()},
	}
	return s
}

// headerSlop is what net/http adds to its limit of headers.
const headerSlop = 4096

// drain is how long a server that is to stop goes on, saying at /readyz that it is not ready.
const drain = 250 * time.Millisecond

// Serve answers requests on l until ctx is done; then it takes no more, lets those in flight finish, and returns nil, or
// an error if some did not within the time for it. It closes l.
func (s *Server) Serve(ctx context.Context, l net.Listener) error {
	h := &http.Server{
		Handler: s, ReadHeaderTimeout: s.o.Limits.HeaderTimeout, ReadTimeout: s.o.Limits.BodyTimeout,
		WriteTimeout: s.o.Limits.WriteTimeout, IdleTimeout: s.o.Limits.IdleTimeout, MaxHeaderBytes: s.o.Limits.HeaderBytes - headerSlop,
		DisableGeneralOptionsHandler: true, // or OPTIONS * would pass by the guard
		ErrorLog:                     slog.NewLogLogger(s.o.Log.Handler(), slog.LevelDebug),
	}
	ended := make(chan error, 1)
	go func() { ended <- h.Serve(l) }()
	select {
	case err := <-ended:
		return err
	case <-ctx.Done():
	}
	s.stopping.Store(true)
	time.Sleep(min(drain, s.o.Limits.Shutdown/4)) // for whoever asks /readyz before sending more
	stop, cancel := context.WithTimeout(context.WithoutCancel(ctx), s.o.Limits.Shutdown)
	defer cancel()
	if err := h.Shutdown(stop); err != nil {
		return errors.Join(fmt.Errorf("requests in flight did not end within %v: %w", s.o.Limits.Shutdown, err), h.Close())
	}
	return nil
}

// ServeHTTP implements [http.Handler].
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	defer s.recovered(w, r)
	w.Header().Set("X-Content-Type-Options", "nosniff")
	w.Header().Set("Cache-Control", "private, no-cache")
	if s.stopping.Load() {
		w.Header().Set("Connection", "close") // or the connection is cut as its next request arrives
	}
	if !s.guard(w, r) {
		return
	}
	methods, ok := s.routes[r.URL.Path]
	if sent := r.URL.EscapedPath(); !ok || strings.Count(sent, "/") != strings.Count(r.URL.Path, "/") { // an encoded slash is data
		problem(w, http.StatusNotFound, fmt.Sprintf("there is no %.256q; /openapi.json lists the routes", sent))
		return
	}
	method := r.Method
	if method == http.MethodHead {
		method = http.MethodGet
	}
	handle, ok := methods[method]
	if !ok {
		notAllowed(w, r, methods)
		return
	}
	handle(w, r)
}

func notAllowed(w http.ResponseWriter, r *http.Request, methods map[string]http.HandlerFunc) {
	var allowed []string
	for m := range methods {
		allowed = append(allowed, m)
	}
	if methods["GET"] != nil {
		allowed = append(allowed, http.MethodHead)
	}
	slices.Sort(allowed)
	w.Header().Set("Allow", strings.Join(allowed, ", "))
	problem(w, http.StatusMethodNotAllowed, fmt.Sprintf("%s takes %s, not %.32q", r.URL.Path, strings.Join(allowed, " and "), r.Method))
}

// recovered answers a panic with a problem, if nothing was written before.
func (s *Server) recovered(w http.ResponseWriter, r *http.Request) {
	p := recover()
	if p == nil {
		return
	}
	if p == http.ErrAbortHandler {
		panic(p)
	}
	id := answer.RequestLogID()
	s.o.Log.Error("panic in a request", "request_id", id, "path", r.URL.Path, "panic", p)
	s.refuse(w, gen.Refusal{Code: gen.RefusalCodeInternal, Message: answer.InternalMessage(id)})
}
