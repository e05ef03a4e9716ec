package service

import (
	"path"
	"path/filepath"
	"strings"
)

// RelativePaths returns the paths of a task in the form that guidelines use: relative to the project's root, cleaned
// and with forward slashes. Paths outside the project stay absolute. Paths that begin with ~ stay unchanged.
func RelativePaths(root string, paths []string) []string {
	if len(paths) == 0 {
		return paths
	}
	roots := []string{slashed(root)}
	if real, err := filepath.EvalSymlinks(root); err == nil && real != root {
		roots = append(roots, slashed(real))
	}
	out := make([]string, len(paths))
	for i, p := range paths {
		out[i] = relativePath(roots, p)
	}
	return out
}

func relativePath(roots []string, name string) string {
	if name == "" || strings.HasPrefix(name, "~") {
		return name
	}
	cleaned := path.Clean(slashed(name))
	for _, root := range roots {
		if cleaned == root {
			return "."
		}
		if below, ok := strings.CutPrefix(cleaned, strings.TrimSuffix(root, "/")+"/"); ok {
			cleaned = below
			break
		}
	}
	if strings.HasSuffix(slashed(name), "/") && !strings.HasSuffix(cleaned, "/") {
		cleaned += "/" // a pattern such as contracts/* includes the folder itself
	}
	return cleaned
}

// slashed() replaces backslashes with slashes, because callers on Windows send backslashes.
func slashed(name string) string { return strings.ReplaceAll(name, `\`, "/") }
