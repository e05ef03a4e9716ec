package product

import (
	"os"
	"path/filepath"
)

// TemporaryRuntimeDir returns the runtime folder. On Windows, every user has a temporary folder of their own.
func TemporaryRuntimeDir(env func(string) string) string {
	for _, variable := range [...]string{"TMP", "TEMP"} {
		if base := env(variable); filepath.IsAbs(base) {
			return filepath.Join(base, folder)
		}
	}
	return filepath.Join(os.TempDir(), folder)
}
