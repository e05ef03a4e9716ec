package remote

import (
	"errors"
	"net"
	"net/url"

	"guardrails/config"
	"guardrails/internal/document"
	"guardrails/internal/secretfile"
)

// readToken reads the token for a server. The error names the file but never includes its content.
func readToken(env func(string) string, c *config.Server) (string, error) {
	path, err := secretfile.Path(env, c.TokenFile)
	if err != nil {
		return "", errors.New("cannot be used: its token_file is " + c.TokenFile + ", and " + err.Error())
	}
	if !isLocal(c) {
		err = secretfile.ForOthers(env, path)
	}
	var token string
	if err == nil {
		token, err = secretfile.Read(path)
	}
	if err != nil {
		return "", errors.New("cannot be used: its token_file " + document.Printable(path) + " " + err.Error())
	}
	return token, nil
}

// isLocal reports whether a server is on this computer: its address is a Unix socket or a loopback address.
func isLocal(c *config.Server) bool {
	if _, ok := c.Socket(); ok {
		return true
	}
	at, err := url.Parse(c.URL)
	if err != nil {
		return false
	}
	ip := net.ParseIP(at.Hostname())
	return at.Hostname() == "localhost" || ip != nil && ip.IsLoopback()
}
