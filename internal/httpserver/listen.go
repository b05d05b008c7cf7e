package httpserver

import (
	"net"
	"strconv"
)

// Listen listens at HOST:PORT, on IPv4 or IPv6 alone if the host is an address, and returns the URL at which a client of
// this machine finds it.
func Listen(address string) (l net.Listener, base string, err error) {
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		return nil, "", err
	}
	network := "tcp"
	ip := net.ParseIP(host)
	switch {
	case ip == nil:
	case ip.To4() != nil:
		network = "tcp4"
	default:
		network = "tcp6"
	}
	if l, err = net.Listen(network, address); err != nil {
		return nil, "", err
	}
	if ip != nil && ip.IsUnspecified() {
		host = map[string]string{"tcp4": "127.0.0.1", "tcp6": "::1"}[network]
	}
	return l, "http://" + net.JoinHostPort(host, strconv.Itoa(l.Addr().(*net.TCPAddr).Port)), nil
}
