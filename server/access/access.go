// Package access says who asks and what they may do.
//
// Start with Caller: the guard of a door puts it into a request's context, and what answers takes it from there.
package access

import "context"

// Role is what somebody may do; each role may do what those before it may.
type Role int

// The roles.
const (
	// Nobody may do nothing.
	Nobody Role = iota
	// Read may see guidelines and the audit.
	Read
	// Decide may ask what holds for a task and log decisions.
	Decide
	// Write may change guidelines.
	Write
	// Admin may import, prune, move and manage.
	Admin
)

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
