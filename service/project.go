package service

import (
	"fmt"
	"maps"
	"path/filepath"

	"guardrails/config"
	"guardrails/host"
	"guardrails/internal/document"
)

// root() returns the root of the project that a request names. If the request names no project, root() returns the root
// of the service's own project.
func (s *Service) root(r *Request) (string, error) {
	if r.Project == "" {
		return host.Root(s.env, s.dir), nil
	}
	if !filepath.IsAbs(r.Project) {
		return "", fmt.Errorf("project: %s is not an absolute path; write the whole path, from the root of the file system",
			document.Excerpt(r.Project))
	}
	root := filepath.Clean(r.Project)
	if s.remote && root != host.Root(s.env, s.dir) {
		// Anybody could have written the settings in this folder. Such settings can name stores, and files with secrets.
		return "", fmt.Errorf("project: %s is not the server's own project, and a caller over the network cannot use "+
			"another one; leave it out", document.Excerpt(r.Project))
	}
	return root, nil
}

// Metadata returns the metadata of a task. If the caller's metadata has no "environment", it adds the environment from
// the project's settings.
func Metadata(c *config.Config, given map[string]any) map[string]any {
	return metadata(c.Environment, given)
}

func metadata(environment string, given map[string]any) map[string]any {
	out := map[string]any{"environment": environment}
	maps.Copy(out, given)
	return out
}
