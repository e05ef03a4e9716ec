package rest

import (
	"cmp"
	"errors"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"guardrails/internal/document"
	"guardrails/internal/product"
	"guardrails/server/access"
)

// A browser sends cookies to every port of a host, so the name of a session's cookie ends with the port. Browsers
// accept a cookie whose name begins with securePrefix only over TLS, and send it to no other host.
const (
	cookiePrefix = product.CLI + "-"
	securePrefix = "__Host-"
)

// IsSessionCookie reports whether a cookie can belong to a session. A proxy can hide the port that the browser sees, so
// every port is accepted.
func IsSessionCookie(name string) bool {
	return strings.HasPrefix(strings.TrimPrefix(name, securePrefix), cookiePrefix)
}

type sessionView struct {
	Name    string    `json:"name"`
	Tenant  string    `json:"tenant_id"`
	Role    string    `json:"role"`
	Expires time.Time `json:"expires,omitzero"`
	Version string    `json:"server_version"`
	Key     string    `json:"key,omitempty"`
}

func (c *call) sessionOf(caller access.Caller, expires time.Time, key string) sessionView {
	return sessionView{caller.Name, caller.Tenant, caller.Role.String(), expires, c.h.o.Version, key}
}

func (c *call) showSession() error {
	var expires time.Time
	if _, session := access.SessionFrom(c.r.Context()); session != nil {
		expires = session.Expires
	}
	return c.say(http.StatusOK, c.sessionOf(c.caller, expires, ""))
}

func (c *call) beginSession() error {
	code, token, err := c.secret()
	if err != nil {
		return err
	}
	if c.h.o.Sessions == nil {
		return c.noPage()
	}
	begin, with := c.h.o.Sessions.WithCode, code
	if token != "" {
		begin, with = c.h.o.Sessions.WithToken, token
	}
	switch opened, err := begin(with); {
	case err == nil:
		http.SetCookie(c.w, c.cookie(opened.Cookie, access.SessionTime))
		return c.say(http.StatusCreated, c.sessionOf(opened.Caller, opened.Expires, opened.Key))
	case errors.Is(err, access.ErrCrowded):
		return busy(err.Error())
	default:
		c.w.Header().Set("WWW-Authenticate", `Bearer realm="guardrails"`)
		return newProblem(http.StatusUnauthorized, codeUnauthorized, err.Error())
	}
}

// secret() reads the code or the token from the body.
func (c *call) secret() (code, token string, err error) {
	n, d, err := c.object()
	if err != nil {
		return "", "", err
	}
	d.Object(n, "", []document.Spec{
		{Name: "code", Read: func(n *document.Node, path string) { code = d.String(n, path, false) }},
		{Name: "token", Read: func(n *document.Node, path string) { token = d.String(n, path, false) }},
	})
	if len(d.Problems) == 0 && (code == "") == (token == "") {
		d.Report(n, "", "must have either a code or a token", "give one of them")
	}
	if len(d.Problems) > 0 {
		return "", "", invalid(d.Problems)
	}
	return code, token, nil
}

func (c *call) endSession() error {
	cookie, session := access.SessionFrom(c.r.Context())
	if session != nil && c.h.o.Sessions != nil {
		c.h.o.Sessions.End(cookie)
		http.SetCookie(c.w, c.cookie("", -time.Second))
	}
	c.w.WriteHeader(http.StatusNoContent)
	return nil
}

// cookie() returns the cookie of a session. A page of this server has sent the request. So the Origin header of the
// request has the port that the browser sees, and shows whether the browser uses TLS. Browsers accept securePrefix only
// with the path "/".
func (c *call) cookie(value string, lasts time.Duration) *http.Cookie {
	prefix, path, port, isSecure := "", "/api/", "80", false
	if origin, err := url.Parse(c.r.Header.Get("Origin")); err == nil {
		if origin.Scheme == "https" {
			prefix, path, port, isSecure = securePrefix, "/", "443", true
		}
		port = cmp.Or(origin.Port(), port)
	}
	return &http.Cookie{
		Name: prefix + cookiePrefix + port, Value: value, Path: path, MaxAge: int(lasts / time.Second), HttpOnly: true,
		SameSite: http.SameSiteStrictMode, Secure: isSecure,
	}
}

const minNonce, maxNonce = 16, 100

func (c *call) prove() error {
	n, d, err := c.object()
	if err != nil {
		return err
	}
	nonce := ""
	d.Object(n, "", []document.Spec{{Name: "nonce", Required: true, Read: func(n *document.Node, path string) {
		if nonce = d.String(n, path, false); len(nonce) < minNonce || len(nonce) > maxNonce {
			d.Report(n, path, "has "+strconv.Itoa(len(nonce))+" characters", "use 16 to 100 random characters")
		}
	}}})
	if len(d.Problems) > 0 {
		return invalid(d.Problems)
	}
	if c.h.o.Sessions == nil {
		return c.noPage()
	}
	return c.say(http.StatusOK, struct {
		Proof string `json:"proof"`
	}{c.h.o.Sessions.Proof(nonce)})
}

func (c *call) noPage() error {
	return forbidden("this server has no page, because its settings have \"ui: off\"")
}
