package session

// ChangedName is the file whose time is when guidelines last became others.
const ChangedName = "changed"

// SignChange has the sessions of this user ask for their guidelines anew. Where the folder of their files cannot be used they
// keep no guidelines, so that there is nobody to tell.
func SignChange(env func(string) string) {
	if dir, err := Open(env); err == nil {
		_ = dir.Touch(ChangedName)
	}
}
