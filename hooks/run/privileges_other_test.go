//go:build unix && !linux

package run_test

// dropPrivileges does nothing, because tests do not run as root on this system.
func dropPrivileges() error { return nil }
