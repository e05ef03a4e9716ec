//go:build !unix

package session

import "os/exec"

type process struct{}

// ownGroup does nothing. On this system, only the command itself can be ended.
func ownGroup(*exec.Cmd) {}

// This system has no tmux, so there are no interactive sessions.
func hangUp(int)           {}
func family(int) []process { return nil }
func end([]process)        {}
