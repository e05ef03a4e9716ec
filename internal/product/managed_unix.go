//go:build unix && !darwin

package product

// ManagedDir returns the folder with the administrator's settings and guidelines for the whole machine.
func ManagedDir() string { return "/etc/" + folder }
