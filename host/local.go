package host

import (
	"os"

	"guardrails/internal/private"
	"guardrails/internal/product"
)

// Local returns a description of this machine. It is for processes that are not hooks. The field Guarded contains the
// product's folders that the environment names.
func Local(env func(string) string) *Machine {
	var folders []string
	if dir, err := private.Runtime(env); err == nil {
		folders = append(folders, dir.Path("."))
	}
	if state := product.StateDir(env); state != "" {
		folders = append(folders, state)
	}
	program, err := os.Executable()
	if err != nil {
		program = ""
	}
	return New(env, program, folders...)
}
