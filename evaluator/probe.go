package evaluator

import (
	"path"
	"strings"

	"guardrails/guideline/pattern"
)

// The type "probe" is a query whose paths are ready to be matched.
type probe struct {
	query *Query
	paths []string
}

func newProbe(q *Query) probe {
	return probe{query: q, paths: cleanPaths(q.Paths)}
}

// firstMatch returns the first of the globs that matches one of the query's paths. It returns nil if there is none.
func (p *probe) firstMatch(globs []*pattern.Glob) *pattern.Glob {
	for _, g := range globs {
		if p.matches(g) {
			return g
		}
	}
	return nil
}

func (p *probe) matches(g *pattern.Glob) bool {
	if p.query.Places != nil {
		for _, place := range p.query.Places {
			if g.MatchPath(place) {
				return true
			}
		}
		return false
	}
	for _, name := range p.paths {
		if name != "" && g.Match(name) {
			return true
		}
	}
	return false
}

// cleanPaths resolves ".." in paths. If no path contains "..", it returns the same slice.
func cleanPaths(paths []string) []string {
	for i, p := range paths {
		if !climbs(p) {
			continue
		}
		out := append([]string(nil), paths[:i]...)
		for _, p := range paths[i:] {
			out = append(out, cleanPath(p))
		}
		return out
	}
	return paths
}

func climbs(p string) bool {
	if !strings.Contains(p, "..") {
		return false
	}
	for _, segment := range strings.Split(p, "/") {
		if segment == ".." {
			return true
		}
	}
	return false
}

// cleanPath resolves ".." in a path. A path may lead out of the folder to which it is relative. Then cleanPath
// returns "", because it does not know where that folder is.
func cleanPath(p string) string {
	if !climbs(p) {
		return p
	}
	cleaned := path.Clean(p)
	if climbs(cleaned) || pattern.IsRooted(p) && !pattern.IsRooted(cleaned) {
		return ""
	}
	return cleaned
}
