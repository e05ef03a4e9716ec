//go:build unix

package product

import (
	"os"
	"path/filepath"
	"strconv"
)

// TemporaryRuntimeDir returns the runtime folder that is used when the login session has none. Users share the temporary
// folder, so the name has the user's number.
func TemporaryRuntimeDir(env func(string) string) string {
	base := env("TMPDIR")
	if !filepath.IsAbs(base) {
		base = "/tmp"
	}
	return filepath.Join(base, folder+"-"+strconv.Itoa(os.Geteuid()))
}
