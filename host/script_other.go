//go:build !unix

package host

// openFlags is 0, because this system has no flags for links and pipes. The caller checks that the path is a regular
// file.
const openFlags = 0
