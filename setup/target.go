package setup

import "path/filepath"

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
		Settings: filepath.Join(root, ".claude", "settings.json"),
		Config:   filepath.Join(root, ".claude", "guardrails.yaml"),
		Server:   filepath.Join(root, ".mcp.json"),
	}
}

// ForUser is the target of all projects of a user, whose client keeps its files in dir.
func ForUser(dir string) Target {
	return Target{Settings: filepath.Join(dir, "settings.json")}
}

// UserDir is the folder in which the client keeps a user's files; empty when the environment names no home.
func UserDir(env func(string) string) string {
	if dir := env("CLAUDE_CONFIG_DIR"); dir != "" {
		return dir
	}
	for _, home := range []string{"HOME", "USERPROFILE"} {
		if dir := env(home); dir != "" {
			return filepath.Join(dir, ".claude")
		}
	}
	return ""
}
