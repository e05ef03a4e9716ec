package setup

import (
	"path/filepath"

	"guardrails/internal/product"
)

// Target is where the product is set up: the files of one project, or of one user for all projects.
type Target struct {
	// Root is the project's root; empty for a user.
	Root string
	// Settings is the client's settings file.
	Settings string
	// Config and Server are the project's guardrails.yaml and .mcp.json; a user has none.
	Config, Server string
}

// ForProject is the target of the project at a root.
func ForProject(root string) Target {
	return Target{
		Root:     root,
		Settings: filepath.Join(root, product.Settings),
		Config:   filepath.Join(root, product.ConfigFile),
		Server:   filepath.Join(root, product.MCPFile),
	}
}

// ForUser is the target of all projects of a user, whose client keeps its files in dir.
func ForUser(dir string) Target {
	return Target{Settings: filepath.Join(dir, product.SettingsName)}
}
