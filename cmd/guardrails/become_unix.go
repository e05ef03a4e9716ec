//go:build unix

package main

import (
	"os"
	"syscall"
)

// become lets another program take the place of this one, with all that it has: its process, its pipes, its signals. It
// returns only when that fails.
func become(program string, args []string) (exitCode, error) {
	return failed, syscall.Exec(program, append([]string{program}, args...), os.Environ())
}
