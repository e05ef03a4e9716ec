//go:build unix && !linux

package private_test

// dropPrivileges has nothing to do: tests do not run as root here.
func dropPrivileges() {}
