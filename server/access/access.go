// Package access says who asks and what they may do.
//
// Start with Caller: the guard of a door puts it into a request's context, and what answers takes it from there. Keyring
// finds the caller whom a token belongs to; tokens.go keeps the tokens.
package access

import "context"

// Caller is who asks.
type Caller struct {
	// Name is how the audit calls the caller.
	Name string
	// Tenant is the one whose guidelines the caller sees.
	Tenant string
	Role   Role
}

type key struct{}

// With puts a caller into a context.
func With(ctx context.Context, c Caller) context.Context { return context.WithValue(ctx, key{}, c) }

// From is the caller that a context has; without one it is nobody.
func From(ctx context.Context) Caller {
	c, _ := ctx.Value(key{}).(Caller)
	return c
}

// May tells whether a caller has a role.
func (c Caller) May(r Role) bool { return c.Role >= r }
