package host

import (
	"os"

	"guardrails/internal/private"
)

// Local returns this machine for a process that is no hook. The product's folders are guarded as far as they can be opened.
func Local(env func(string) string) *Machine {
	var folders []string
	if dir, err := private.Runtime(env); err == nil {
		folders = append(folders, dir.Path("."))
	}
	if state, err := private.StateDir(env); err == nil {
		folders = append(folders, state)
	}
	program, err := os.Executable()
	if err != nil {
		program = ""
	}
	return New(env, program, folders...)
}
