//go:build unix

package host

import "syscall"

// openFlags makes open fail for a link, and makes it not wait for a pipe.
const openFlags = syscall.O_NOFOLLOW | syscall.O_NONBLOCK
