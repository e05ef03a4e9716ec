package policyfile

import (
	"path/filepath"
	"strings"

	"guardrails/config"
	"guardrails/internal/product"
)

// AdministratorsMode says why no policy can make a verdict milder while the administrator sets the mode.
const AdministratorsMode = "the machine's administrator sets the mode of the safety gate, but no policy file"

// Path returns the path of a project's policy file. The result "onlyStricter" says why the rules in the file cannot
// make verdicts milder. It is "" if they can.
func Path(root, home string, s *config.Safety, trusted bool) (path, onlyStricter string) {
	switch path = s.Policies; {
	case path == "":
		path = product.PoliciesFile
	case strings.HasPrefix(path, "~/"):
		path = filepath.Join(home, path[2:])
	}
	if !filepath.IsAbs(path) {
		path = filepath.Join(root, filepath.FromSlash(path))
	}
	below, err := filepath.Rel(root, path)
	if err != nil || !filepath.IsLocal(below) { // a link may lead into the project
		below, err = filepath.Rel(resolved(root), resolved(path))
	}
	switch {
	case s.NoMilder:
		return path, AdministratorsMode
	case err != nil || !filepath.IsLocal(below):
		return path, ""
	case filepath.ToSlash(below) != product.PoliciesFile:
		return path, "the file is in the project, where agents can change it; move it out of the project, or to " + product.PoliciesFile
	case !trusted:
		return path, config.NotTrusted
	}
	return path, ""
}

// resolved() follows the links in a path. If the path does not exist, it follows the links in the part of the path that
// exists.
func resolved(path string) string {
	if to, err := filepath.EvalSymlinks(path); err == nil {
		return to
	}
	if dir := filepath.Dir(path); dir != path {
		return filepath.Join(resolved(dir), filepath.Base(path))
	}
	return path
}
