package trace

import (
	"strings"

	"guardrails/detect/toolcall/words"
)

// HostOf returns the host of an address, or "" if the host is unknown. The address may have a scheme.
func HostOf(address string) string {
	if _, rest, ok := strings.Cut(address, "://"); ok {
		address = rest
	}
	if i := strings.IndexAny(address, "/?#"); i >= 0 {
		address = address[:i]
	}
	address = address[strings.LastIndexByte(address, '@')+1:]
	if strings.HasPrefix(address, "[") {
		host, _, _ := strings.Cut(address[1:], "]")
		return host
	}
	if strings.Count(address, ":") == 1 {
		address, _, _ = strings.Cut(address, ":")
	}
	if strings.Contains(address, "$") {
		return ""
	}
	return strings.ToLower(address)
}

// IsLoopback reports whether a host name or address stands for this machine.
func IsLoopback(host string) bool {
	if host == words.Among(host, "localhost ::1 0.0.0.0 host.docker.internal ip6-localhost") {
		return true
	}
	return strings.HasPrefix(host, "127.") || strings.HasSuffix(host, ".localhost")
}

// IsForeign reports whether a host is neither this machine, nor a container on it, nor a host for tests.
func IsForeign(host string) bool {
	return !IsLoopback(host) && (strings.Contains(host, ".") && !NamesTest(host) || strings.Contains(host, "prod"))
}

// IsSocket reports whether a path makes bash open a network connection.
func IsSocket(path string) bool {
	return strings.HasPrefix(path, "/dev/tcp/") || strings.HasPrefix(path, "/dev/udp/")
}

// SocketHost returns the host in a path that makes bash open a network connection.
func SocketHost(path string) string {
	host, _, _ := strings.Cut(path[len("/dev/tcp/"):], "/")
	return host
}

// URLHost returns the host of a URL. As in a browser, a backslash also ends the host.
func URLHost(url string) string {
	return Shorten(HostOf(strings.ReplaceAll(strings.TrimSpace(url), `\`, "/")))
}

// Tunnel records that a port of this machine leads to another machine. The parameter "ports" is the argument for
// the tunnel, such as 9200:es:9200 or 9200.
func (t *Trace) Tunnel(ports string) {
	list := strings.Split(ports, ":")
	t.Tunnels = append(t.Tunnels, list[max(0, len(list)-3)])
}

// IsURL reports whether a text is a URL. The streams of PHP, such as php://stdin, are not URLs.
func IsURL(s string) bool {
	i := strings.Index(s, "://")
	return i > 1 && i < 8 && !strings.HasPrefix(s, "php")
}
