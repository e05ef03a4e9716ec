//go:build unix

package host

import "syscall"

// plainly opens a file without following a link and without waiting for the other end of a pipe.
const plainly = syscall.O_NOFOLLOW | syscall.O_NONBLOCK
