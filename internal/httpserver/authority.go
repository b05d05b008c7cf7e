package httpserver

import (
	"net"
	"net/url"
	"strconv"
	"strings"

	"docpin/internal/ingest/pattern"
)

// An authority is a host and its port in one form, so that equal ones are equal: the name in lower case without a final
// dot, an address without brackets and as [net.IP] writes it, 0 for a port left out. The zero value is none.
type authority struct {
	name string
	port uint16
}

// hostName matches what clients write for a name; they encode others.
var hostName = pattern.Lazy(`^[a-z0-9_-]+(\.[a-z0-9_-]+)*$`)

// parseAuthority returns what s says, a Host or what an origin has behind its scheme.
func parseAuthority(s string) authority {
	u, err := url.Parse("http://" + s)
	if err != nil || u.Host != s {
		return authority{}
	}
	a := authority{name: strings.ToLower(strings.TrimSuffix(u.Hostname(), "."))}
	if ip := net.ParseIP(a.name); ip != nil {
		a.name = ip.String()
	} else if !hostName().MatchString(a.name) {
		return authority{}
	}
	if p := u.Port(); p != "" {
		port, err := strconv.ParseUint(p, 10, 16)
		if err != nil || port == 0 {
			return authority{}
		}
		a.port = uint16(port)
	}
	return a
}

// parseAllowedHost is [parseAuthority] for --allow-host, which takes an IPv6 address without brackets too.
func parseAllowedHost(s string) authority {
	if ip := net.ParseIP(s); ip != nil {
		return authority{name: ip.String()}
	}
	return parseAuthority(s)
}

// defaultPorts are those that browsers leave out.
var defaultPorts = map[string]uint16{"http": 80, "https": 443}

// at returns a with the port that it has under a scheme.
func (a authority) at(scheme string) authority {
	if a.port == 0 {
		a.port = defaultPorts[scheme]
	}
	return a
}

// covers reports whether a, which is allowed, allows host: at any port if a has none. A host without a port may have come
// through a proxy, under either scheme.
func (a authority) covers(host authority) bool {
	return a.name == host.name && (a.port == 0 || a.port == host.at("http").port || a.port == host.at("https").port)
}

// An origin is an authority under a scheme, always with its port. The zero value is none.
type origin struct {
	scheme string
	authority
}

// parseOrigin returns the origin of a page of HTTP.
func parseOrigin(s string) origin {
	scheme, rest, _ := strings.Cut(s, "://")
	scheme = strings.ToLower(scheme)
	a := parseAuthority(rest)
	if a.name == "" || defaultPorts[scheme] == 0 {
		return origin{}
	}
	return origin{scheme, a.at(scheme)}
}

// parseAllowedOrigin is [parseOrigin] for --allow-origin, which takes a final slash too.
func parseAllowedOrigin(s string) origin { return parseOrigin(strings.TrimSuffix(s, "/")) }
