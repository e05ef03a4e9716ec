package service

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"

	"guardrails/config"
	"guardrails/internal/document"
	"guardrails/internal/product"
)

// Root returns the root folder of a project: the one that the client names, else the git root, else dir itself.
func Root(env func(string) string, dir string) string {
	if root := env(product.VariableProject); root != "" {
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

// root returns the project that a request is about.
func (s *Service) root(r *Request) (string, error) {
	if r.Project == "" {
		return Root(s.env, s.dir), nil
	}
	if !filepath.IsAbs(r.Project) {
		return "", fmt.Errorf("project: %s is not an absolute path; write it from the root of the file system on", document.Excerpt(r.Project))
	}
	root := filepath.Clean(r.Project)
	if s.remote && root != Root(s.env, s.dir) {
		// The settings of a folder name stores and files with secrets, and anybody could have written them.
		return "", fmt.Errorf("project: %s is not the server's own, and no other is taken from a caller over the network; leave it out", document.Excerpt(r.Project))
	}
	return root, nil
}

// Agent returns the agent at work when the caller names none: the session's own name, else the project's default.
func Agent(env func(string) string, c *config.Config) string {
	if agent := env(product.VariableAgent); agent != "" {
		return agent
	}
	return c.DefaultAgent
}

// Metadata returns the metadata of a task: those given, and the project's environment unless they name one.
func Metadata(c *config.Config, given map[string]any) map[string]any {
	const key = "environment"
	out := map[string]any{key: c.Environment}
	maps.Copy(out, given)
	return out
}
