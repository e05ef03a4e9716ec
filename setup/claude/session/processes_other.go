//go:build !unix

package session

import "os/exec"

type process struct{}

// ownGroup does nothing: ending the command alone is what this system can do simply.
func ownGroup(*exec.Cmd) {}

// There is no tmux on this system, so no interactive session ever ends.
func hangUp(int)           {}
func family(int) []process { return nil }
func end([]process)        {}
