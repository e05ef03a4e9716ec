package evaluator

import (
	"path"
	"strings"

	"guardrails/guideline/pattern"
)

// probe is a query with its paths made ready for matching.
type probe struct {
	query *Query
	paths []string
}

func newProbe(q *Query) probe {
	return probe{query: q, paths: cleanPaths(q.Paths)}
}

// hit is the first glob that matches any of the places, or nil.
func (p *probe) hit(globs []*pattern.Glob) *pattern.Glob {
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

// cleanPaths gives paths back as they are, without a copy, unless one of them climbs with "..".
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
	for segment := range strings.SplitSeq(p, "/") {
		if segment == ".." {
			return true
		}
	}
	return false
}

// cleanPath resolves ".." in a path's text. A path that still climbs, or that would climb out of the home directory or
// drive it begins at, names a place that cannot be known and becomes empty.
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
