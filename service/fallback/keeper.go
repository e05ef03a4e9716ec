package fallback

import (
	"errors"
	"path/filepath"
	"time"

	"guardrails/internal/private"
	"guardrails/internal/product"
)

// Keeper stores the files of this package in the state folder.
type Keeper struct {
	Env func(string) string
	Now func() time.Time
}

// Dir returns a folder in the state folder. If HOME is not set, it returns a folder next to the files of sessions, and
// a notice about this.
func (k *Keeper) Dir(name string) (d *private.Dir, notice string, err error) {
	dir, err := private.StateDir(k.Env)
	if errors.Is(err, private.ErrHome) {
		var runtime *private.Dir
		if runtime, err = private.Runtime(k.Env); err == nil {
			dir = runtime.Path(product.StateFallback)
			notice = "guardrails: HOME is not set, so guardrails keeps its files in " + dir + ", where they may be deleted"
		}
	}
	if err != nil {
		return nil, "", err
	}
	d, err = private.Open(filepath.Join(dir, name))
	return d, notice, err
}
