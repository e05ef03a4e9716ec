package main

import (
	"maps"
	"os"
	"path/filepath"

	"guardrails/config"
)

// projectRoot is the folder a project begins at: where the client says, else the git root, else dir itself.
func (a *app) projectRoot(dir string) string {
	if root := a.env("CLAUDE_PROJECT_DIR"); root != "" {
		return root
	}
	for at := dir; ; at = filepath.Dir(at) {
		// In a worktree .git is a file.
		if _, err := os.Stat(filepath.Join(at, ".git")); err == nil {
			return at
		}
		if at == filepath.Dir(at) {
			return dir
		}
	}
}

func (a *app) config() (*config.Config, error) {
	c, problems := config.Load(a.projectRoot(a.cwd), a.env)
	return &c, problems.Err()
}

// agent is who acts where nothing else says: the session's own name goes before the project's default.
func (a *app) agent(c *config.Config) string {
	if agent := a.env("CLAUDE_INSTANCE_ID"); agent != "" {
		return agent
	}
	return c.DefaultAgent
}

// metadata is what every context holds: where the agent works, unless the caller says so.
func metadata(c *config.Config, given map[string]any) map[string]any {
	const key = "environment"
	out := map[string]any{key: c.Environment}
	maps.Copy(out, given)
	return out
}
