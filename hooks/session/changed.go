package session

import "guardrails/internal/private"

// ChangedName is the file whose time is when the guidelines last changed.
const ChangedName = "changed"

// SignalChange makes this user's sessions fetch their guidelines again. Sessions keep no guidelines when the runtime folder
// cannot be used, so then there is nothing to do.
func SignalChange(env func(string) string) {
	if dir, err := private.Runtime(env); err == nil {
		_ = dir.Touch(ChangedName)
	}
}
