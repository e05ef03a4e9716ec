package access

import (
	"fmt"
	"slices"
	"strings"
)

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

// RoleNames are the roles that a token can have, the weakest first.
func RoleNames() []string { return []string{"read", "decide", "write", "admin"} }

// String is the role's name.
func (r Role) String() string {
	if r < Read || r > Admin {
		return "nobody"
	}
	return RoleNames()[r-Read]
}

// ParseRole reads a role's name.
func ParseRole(name string) (Role, error) {
	i := slices.Index(RoleNames(), name)
	if i < 0 {
		return Nobody, fmt.Errorf("%.40q is no role; use %s", name, strings.Join(RoleNames(), ", "))
	}
	return Read + Role(i), nil
}
