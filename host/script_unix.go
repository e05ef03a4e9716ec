//go:build unix

package host

import "syscall"

// openFlags makes the opening of a link fail, and the opening of a pipe return immediately.
const openFlags = syscall.O_NOFOLLOW | syscall.O_NONBLOCK
