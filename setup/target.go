package setup

import (
	"path/filepath"

	"guardrails/internal/product"
)

// Target says where the product is installed: in a project, or for all projects of a user.
type Target struct {
	// Root is the project's root, or "" for a user.
	Root string
	// Settings is the client's settings file.
	Settings string
	// Config is the guardrails.yaml of the project or the user. Server is the project's .mcp.json. If "guardrails init"
	// does not write one of these files, its path is "".
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

// ForPerson returns the target of one person in a project. This person's settings file is not committed.
func ForPerson(root string) Target {
	return Target{Root: root, Settings: filepath.Join(root, product.LocalSettings)}
}

// ForUser returns the target of all projects of a user. The parameter "client" is the folder with the client's files,
// and the parameter "config" is the folder with the user's guardrails.yaml.
func ForUser(client, config string) Target {
	return Target{Settings: filepath.Join(client, product.SettingsName), Config: filepath.Join(config, product.ConfigName)}
}
