//go:build !unix

package host

// openFlags has no special flags on this system. The caller checks whether the file is a regular one.
const openFlags = 0
