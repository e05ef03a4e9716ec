//go:build !unix

package session

import "os/exec"

type process struct{}

// ownGroup does nothing: this system can only end the command itself.
func ownGroup(*exec.Cmd) {}

// There is no tmux on this system, so there are no interactive sessions.
func hangUp(int)           {}
func family(int) []process { return nil }
func end([]process)        {}
