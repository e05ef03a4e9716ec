package private

import (
	"path/filepath"

	"guardrails/internal/product"
)

// Runtime opens the runtime folder, which contains the files of the user's sessions. It creates the folder if it is
// missing. The error is an *Unsafe if the folder must not be used, and a *Failed if it cannot be used.
func Runtime(env func(string) string) (*Dir, error) {
	d, err := openRuntime(env)
	if state := product.StateDir(env); err == nil && state != "" {
		d.KeyIn(state)
	}
	return d, err
}

func openRuntime(env func(string) string) (*Dir, error) {
	if path := env(product.VariableCache); path != "" {
		return OpenMovable(path, product.VariableCache)
	}
	if path := product.SessionRuntimeDir(env); path != "" {
		if d, err := lookAtFolder(path, product.VariableCache); err == nil {
			return d, nil
		}
		if isOurs(filepath.Dir(path)) {
			return OpenMovable(path, product.VariableCache)
		}
	}
	return OpenMovable(product.TemporaryRuntimeDir(env), product.VariableCache)
}

// StateDir opens the state folder, which contains everything that outlives a session, and returns its path. It creates
// the folder if it is missing. If the environment names no home folder, the error wraps ErrHome.
func StateDir(env func(string) string) (string, error) {
	path := product.StateDir(env)
	if path == "" {
		return "", &Failed{"cannot be found", "the state folder", ErrHome, "set " + product.VariableHome +
			" or " + product.VariableState}
	}
	d, err := OpenMovable(path, product.VariableState)
	if err != nil {
		return "", err
	}
	return d.path, nil
}
