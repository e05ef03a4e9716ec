package access

import (
	"fmt"
	"slices"
	"strings"
)

// Role says what a caller may do. A role includes everything that the weaker roles allow.
type Role int

// The roles.
const (
	// Nobody has no permissions.
	Nobody Role = iota
	// The role Read allows a caller to see guidelines and the audit.
	Read
	// The role Decide allows a caller to log decisions, and to ask which guidelines apply to a task.
	Decide
	// The role Write allows a caller to change guidelines.
	Write
	// The role Admin allows a caller to import guidelines, prune the audit, move the store and manage tokens.
	Admin
)

// RoleNames lists the roles that a token can have, weakest first.
func RoleNames() []string { return []string{"read", "decide", "write", "admin"} }

// String returns the role's name.
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
		return Nobody, fmt.Errorf("%.40q is not a role; use %s", name, strings.Join(RoleNames(), ", "))
	}
	return Read + Role(i), nil
}
