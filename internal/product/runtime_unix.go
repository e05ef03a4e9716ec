//go:build unix

package product

import (
	"os"
	"path/filepath"
	"strconv"
)

// TemporaryRuntimeDir returns the runtime folder that is used if the login session has none. All users share the
// temporary folder, so the name contains the user's id.
func TemporaryRuntimeDir(env func(string) string) string {
	base := env(variableTemp)
	if !filepath.IsAbs(base) {
		base = "/tmp"
	}
	return filepath.Join(base, folder+"-"+strconv.Itoa(os.Geteuid()))
}
