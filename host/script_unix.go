//go:build unix

package host

import "syscall"

// openFlags are flags for opening a file. With these flags, a link cannot be opened, and opening a pipe returns
// immediately.
const openFlags = syscall.O_NOFOLLOW | syscall.O_NONBLOCK
