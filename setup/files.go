package setup

import (
	"path/filepath"
	"slices"

	"guardrails/internal/product"
)

// Scope says for whom the settings in a file apply.
type Scope string

// The scopes of settings files.
const (
	User    Scope = "user"
	Project Scope = "project"
	Local   Scope = "local"
	Managed Scope = "managed"
)

// File is a settings file that the client reads. The file need not exist.
type File struct {
	Scope Scope
	Path  string
}

// Files returns the settings files that the client merges in a project. The file with the lowest precedence comes
// first. The client runs the hooks of all files. The parameter userDir is product.ClientDir, and the parameter "goos"
// is runtime.GOOS.
func Files(project, userDir, goos string) []File {
	var files []File
	if userDir != "" {
		files = append(files, File{User, filepath.Join(userDir, product.SettingsName)})
	}
	files = append(files,
		File{Project, filepath.Join(project, product.Settings)},
		File{Local, filepath.Join(project, product.LocalSettings)})
	dir := product.PolicyDir(goos)
	files = append(files, File{Managed, filepath.Join(dir, product.ManagedSettingsName)})
	// If this process cannot read the folder, the client cannot read it either.
	more, _ := filepath.Glob(filepath.Join(dir, "managed-settings.d", "*.json"))
	slices.Sort(more)
	for _, path := range more {
		files = append(files, File{Managed, path})
	}
	return files
}
