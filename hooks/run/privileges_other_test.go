//go:build unix && !linux

package run_test

// dropPrivileges has nothing to do: tests do not run as root here.
func dropPrivileges() error { return nil }
