//go:build !unix

package host

// openFlags has no special flags on this system. The caller checks whether it is a regular file.
const openFlags = 0
