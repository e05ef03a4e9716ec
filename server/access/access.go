// Package access knows callers, their tokens and their roles.
//
// Start with Caller. A transport's guard puts the Caller into the context of a request, and the handlers read it from
// the context. Keyring finds the caller for a token. tokens.go stores the tokens.
package access

import "context"

// Caller is a person or program that sends requests.
type Caller struct {
	// Name is the caller's name in the audit.
	Name string
	// Tenant is the tenant whose guidelines the caller sees.
	Tenant string
	Role   Role
}

type key struct{}

// With is a function that returns a context that holds the given caller.
func With(ctx context.Context, c Caller) context.Context { return context.WithValue(ctx, key{}, c) }

// From is a function that returns the caller in a context. If there is none, the returned caller has no permissions.
func From(ctx context.Context) Caller {
	c, _ := ctx.Value(key{}).(Caller)
	return c
}

type validKey struct{}

// WithCheck returns a context that holds the given function. The function reports whether the caller's token is still
// valid.
func WithCheck(ctx context.Context, valid func() bool) context.Context {
	return context.WithValue(ctx, validKey{}, valid)
}

// IsValid reports whether the caller's token is still valid. For a caller without a token, it always returns true.
func IsValid(ctx context.Context) bool {
	valid, has := ctx.Value(validKey{}).(func() bool)
	return !has || valid()
}

type sessionKey struct{}

type inSession struct {
	cookie  string
	session *Session
}

// WithSession returns a context that holds a session and the session's cookie.
func WithSession(ctx context.Context, cookie string, session *Session) context.Context {
	return context.WithValue(ctx, sessionKey{}, inSession{cookie, session})
}

// SessionFrom returns the session in a context, and the session's cookie. If the context has no session, SessionFrom
// returns nil.
func SessionFrom(ctx context.Context) (cookie string, session *Session) {
	in, _ := ctx.Value(sessionKey{}).(inSession)
	return in.cookie, in.session
}

// May is a method that reports whether a caller has the given role or a stronger one.
func (c Caller) May(r Role) bool { return c.Role >= r }
