//go:build unix && !darwin

package product

// ManagedDir returns the folder of the settings and guidelines that an administrator sets for the whole machine.
func ManagedDir() string { return "/etc/" + folder }
