//go:build unix

package host

import "syscall"

// openFlags opens a file without following a link and without waiting for a pipe.
const openFlags = syscall.O_NOFOLLOW | syscall.O_NONBLOCK
