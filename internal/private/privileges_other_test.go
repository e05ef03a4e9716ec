//go:build unix && !linux

package private_test

// dropPrivileges does nothing, because tests do not run as root on these systems.
func dropPrivileges() {}
