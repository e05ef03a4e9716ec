package config

import (
	"net/url"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"guardrails/internal/document"
)

// Server says how to reach a server that provides guidelines.
type Server struct {
	// URL is http://host:port/mcp, https://… or unix:/path.
	URL string
	// TokenFile is the path of the file with the server's token. The path is absolute or begins with ~/. TokenFile is
	// empty if there is no token.
	TokenFile string
}

const unixScheme = "unix:"

// Socket returns the path of the server's Unix socket. It returns false if the server is on the network.
func (s *Server) Socket() (string, bool) { return strings.CutPrefix(s.URL, unixScheme) }

// sendsDecisions reports whether the decisions of a project are sent to the server that the project's combined settings
// name. Decisions are not sent to a server on a socket, because such a server has no API for decisions. If an
// environment variable names a store, the decisions are not sent either, because the user wants to keep them in that
// store. A project that nobody trusts must not choose who gets the decisions: a higher layer or the user's own
// environment must name the server.
func (l *Layers) sendsDecisions(c *Config) bool {
	if c.Server == nil || l.variables["store"] != "" {
		return false
	}
	if _, socket := c.Server.Socket(); socket {
		return false
	}
	// isOwn is set if the server comes from an environment variable that the project did not set.
	isOwn := l.own.Server != l.file.Server && c.Server == l.own.Server && !l.serverByProject
	return isOwn || l.isTrusted() ||
		slices.ContainsFunc(l.setters("server"), func(s *Config) bool { return s.Server == c.Server })
}

// readServer reads the setting "server". If a part of the setting is invalid, readServer drops the whole setting,
// because the valid parts could lead to the wrong server.
func (c *Config) readServer(d *document.Decoder, n *document.Node, at string) {
	var s Server
	before := len(d.Problems)
	d.Object(n, at, []document.Spec{
		{Name: "url", Required: true, Read: func(n *document.Node, at string) { s.URL = readURL(d, n, at) }},
		{Name: "token_file", Read: func(n *document.Node, at string) { s.TokenFile = readTokenFile(d, n, at) }},
	})
	if len(d.Problems) == before {
		c.Server = &s
	}
}

func readURL(d *document.Decoder, n *document.Node, at string) string {
	before := len(d.Problems)
	text := d.String(n, at, false)
	if len(d.Problems) == before && !usable(text) {
		d.Report(n, at, document.Excerpt(text)+" is not the address of a server", "write http://host:port/mcp, or unix: "+
			"and the absolute path of a socket")
	}
	return text
}

// usable() reports whether a text is the URL of a server. The URL must not contain a password, a query or a fragment.
func usable(text string) bool {
	if socket, ok := strings.CutPrefix(text, unixScheme); ok {
		return path.IsAbs(socket) && path.Clean(socket) == socket && socket != "/"
	}
	u, err := url.Parse(text)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" {
		return false
	}
	return u.Hostname() != "" && u.User == nil && u.RawQuery == "" && !u.ForceQuery && u.Fragment == "" &&
		!strings.HasSuffix(text, "#")
}

func readTokenFile(d *document.Decoder, n *document.Node, at string) string {
	before := len(d.Problems)
	name := d.String(n, at, false)
	if len(d.Problems) == before && !filepath.IsAbs(name) && !strings.HasPrefix(name, "~/") {
		d.Report(n, at, document.Excerpt(name)+" is not an absolute path",
			"start it with / or ~/; a token must not be in the project")
	}
	return name
}
