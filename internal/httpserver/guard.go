package httpserver

import (
	"fmt"
	"net"
	"net/http"
	"slices"
	"strings"
)

// guard refuses requests that a web page could have made a browser send: by a name that was rebound to this address, or
// from another origin. It answers the preflight of an origin that is allowed. It reports whether to go on.
func (s *Server) guard(w http.ResponseWriter, r *http.Request) bool {
	if !s.hostAllowed(r) {
		problem(w, http.StatusForbidden, fmt.Sprintf("Host %.256q is not allowed; name it with --allow-host", r.Host))
		return false
	}
	origins := r.Header.Values("Origin")
	if len(origins) == 0 {
		return true
	}
	if len(origins) > 1 || !s.originAllowed(origins[0], r.Host) {
		problem(w, http.StatusForbidden, fmt.Sprintf("Origin %.256q is not allowed; name it with --allow-origin", strings.Join(origins, ", ")))
		return false
	}
	h := w.Header()
	h.Set("Access-Control-Allow-Origin", origins[0])
	h.Add("Vary", "Origin")
	if r.Method != http.MethodOptions || r.Header.Get("Access-Control-Request-Method") == "" {
		h.Set("Access-Control-Expose-Headers", "ETag, Mcp-Session-Id")
		return true
	}
	h.Set("Access-Control-Allow-Methods", "GET, HEAD, POST")
	h.Set("Access-Control-Allow-Headers", "Accept, Content-Type, If-None-Match, Mcp-Method, Mcp-Name, Mcp-Protocol-Version, Mcp-Session-Id")
	h.Set("Access-Control-Max-Age", "600")
	w.WriteHeader(http.StatusNoContent)
	return false
}

// hostAllowed reports whether the host that a request names is a name of the loopback, the address that it came to, or
// allowed by name. An address can't be rebound.
func (s *Server) hostAllowed(r *http.Request) bool {
	host := parseAuthority(r.Host)
	if host.name == "" {
		return false
	}
	if host.name == "localhost" || slices.ContainsFunc(s.o.AllowedHosts, func(a string) bool { return parseAllowedHost(a).covers(host) }) {
		return true
	}
	ip := net.ParseIP(host.name)
	if ip == nil {
		return false
	}
	local, ok := r.Context().Value(http.LocalAddrContextKey).(*net.TCPAddr)
	return ip.IsLoopback() || ok && local.IP.Equal(ip)
}

// originAllowed reports whether a page of an origin may send requests to host.
func (s *Server) originAllowed(from, host string) bool {
	o := parseOrigin(from)
	if o.name == "" {
		return false
	}
	return o.authority == parseAuthority(host).at(o.scheme) || // the server's own
		slices.ContainsFunc(s.o.AllowedOrigins, func(a string) bool { return parseAllowedOrigin(a) == o })
}

// CheckNames returns an error that names the first host or origin that no request could have.
func CheckNames(hosts, origins []string) error {
	for _, h := range hosts {
		if parseAllowedHost(h).name == "" {
			return fmt.Errorf("--allow-host is %q; want a name such as docs.example", h)
		}
	}
	for _, o := range origins {
		if parseAllowedOrigin(o).name == "" {
			return fmt.Errorf("--allow-origin is %q; want scheme and host, such as https://app.example", o)
		}
	}
	return nil
}
