package stores

import "guardrails/hooks/session"

// leaveSign has the sessions of this user ask for their guidelines anew. Where the folder of their files cannot be used they
// keep no guidelines, so that there is nobody to tell.
func leaveSign(env func(string) string) {
	if dir, err := session.Open(env); err == nil {
		_ = dir.Touch(session.ChangedName)
	}
}
