package config

import (
	"io/fs"
	"os"
	"path/filepath"

	"guardrails/internal/product"
)

// checkManaged returns the reason why the managed folder must not be used. It returns "" if the folder may be used or
// does not exist. The folder, the settings and every guideline file must belong to the owner, and nobody else may have
// write permission. Without these conditions, a user could loosen the rules of the machine's administrator.
func checkManaged(dir string, owner int) string {
	if dir == "" {
		return ""
	}
	if _, err := os.Lstat(dir); os.IsNotExist(err) {
		return ""
	}
	guidelines := filepath.Join(dir, product.LayerGuidelinesFolder)
	paths := []string{dir, filepath.Join(dir, product.ConfigName), guidelines}
	entries, err := os.ReadDir(guidelines)
	if err != nil && !os.IsNotExist(err) {
		return guidelines + " cannot be read: " + cause(err)
	}
	for _, entry := range entries {
		paths = append(paths, filepath.Join(guidelines, entry.Name()))
	}
	for _, path := range paths {
		if why := unsafe(path, owner); why != "" {
			return path + " " + why
		}
	}
	return ""
}

// unsafe() returns the reason why a file or folder of the managed layer must not be used. It returns "" for a file or
// folder that may be used or does not exist.
func unsafe(path string, owner int) string {
	info, err := os.Lstat(path)
	switch {
	case os.IsNotExist(err):
		return ""
	case err != nil:
		return "cannot be examined: " + cause(err)
	case info.Mode()&fs.ModeSymlink != 0:
		return "is a symbolic link; replace it with the file itself"
	}
	return unsafeOwner(path, info, owner)
}
