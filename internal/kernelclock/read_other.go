//go:build !linux

package kernelclock

// Read returns false, because this system does not say whether a time service keeps its clock right.
func Read() (r Reading, ok bool) { return r, false }
