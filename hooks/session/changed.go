package session

import "guardrails/internal/private"

// ChangedName is the name of a file. The modification time of this file says when the guidelines last changed.
const ChangedName = "changed"

// SignalChange makes this user's sessions request their guidelines again. If the runtime folder cannot be used, it
// does nothing, because sessions then cache no guidelines.
func SignalChange(env func(string) string) {
	if dir, err := private.Runtime(env); err == nil {
		_ = dir.Touch(ChangedName)
	}
}
