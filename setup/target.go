package setup

import (
	"path/filepath"

	"guardrails/internal/product"
)

// Target is where the product is installed: in a project, or for all projects of a user.
type Target struct {
	// Root is the project's root, or "" for a user.
	Root string
	// Settings is the client's settings file.
	Settings string
	// Config and Server are the project's guardrails.yaml and .mcp.json. A user has none.
	Config, Server string
}

// ForProject returns the target of a project.
func ForProject(root string) Target {
	return Target{
		Root:     root,
		Settings: filepath.Join(root, product.Settings),
		Config:   filepath.Join(root, product.ConfigFile),
		Server:   filepath.Join(root, product.MCPFile),
	}
}

// ForUser returns the target of all projects of a user. dir is the folder with the client's files.
func ForUser(dir string) Target {
	return Target{Settings: filepath.Join(dir, product.SettingsName)}
}
