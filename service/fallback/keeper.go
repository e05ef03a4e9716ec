package fallback

import (
	"errors"
	"path/filepath"
	"time"

	"guardrails/hooks/session"
	"guardrails/internal/product"
)

// Keeper keeps files in the state folder.
type Keeper struct {
	Env func(string) string
	Now func() time.Time
}

// Dir returns a folder in the state folder. Without a home folder it is beside the files of sessions instead, and the
// notice says so.
func (k *Keeper) Dir(name string) (d *session.Dir, notice string, err error) {
	dir, err := session.StateDir(k.Env)
	if errors.Is(err, session.ErrHome) {
		var runtime *session.Dir
		if runtime, err = session.Open(k.Env); err == nil {
			dir = runtime.Path(product.StateFallback)
			notice = "guardrails: HOME is not set, so that what it keeps lies in " + dir + " and may be gone tomorrow"
		}
	}
	if err != nil {
		return nil, "", err
	}
	d, err = session.At(filepath.Join(dir, name))
	return d, notice, err
}
