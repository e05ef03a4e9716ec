//go:build !unix

package host

// openFlags opens a file as it is. The caller checks whether it is a regular file.
const openFlags = 0
