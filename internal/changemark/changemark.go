// Package changemark has the file with which a program tells this user's sessions that the guidelines have changed.
package changemark

import "guardrails/internal/private"

// Name is the name of the file in the runtime folder. The modification time of this file says when the guidelines last
// changed.
const Name = "changed"

// Set makes this user's sessions request their guidelines again. If the runtime folder cannot be used, it does nothing,
// because sessions then cache no guidelines.
func Set(env func(string) string) {
	if dir, err := private.Runtime(env); err == nil {
		_ = dir.Touch(Name)
	}
}
