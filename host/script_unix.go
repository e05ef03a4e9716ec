//go:build unix

package host

import "syscall"

// With openFlags, opening a link fails, and opening a pipe does not wait.
const openFlags = syscall.O_NOFOLLOW | syscall.O_NONBLOCK
