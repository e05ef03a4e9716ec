// Package access knows callers, their tokens and their roles.
//
// Start with Caller: a transport's guard puts it into the context of a request, and the handlers read it from there.
// Keyring finds the caller for a token; tokens.go keeps the tokens.
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

// With returns a context that holds the given caller.
func With(ctx context.Context, c Caller) context.Context { return context.WithValue(ctx, key{}, c) }

// From returns the caller in a context. If there is none, it returns a caller without permissions.
func From(ctx context.Context) Caller {
	c, _ := ctx.Value(key{}).(Caller)
	return c
}

// May reports whether a caller has a role.
func (c Caller) May(r Role) bool { return c.Role >= r }
