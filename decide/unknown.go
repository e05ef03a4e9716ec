package decide

import (
	"strings"

	"guardrails/detect/effect"
	"guardrails/guideline/pattern"
)

// maxUnknownFolders limits how many folders the unknown part of a path can stand for.
const maxUnknownFolders = 6

// mayDeny reports whether a denied pattern may match something unknown: a part of the call that was not analyzed, or a
// change of a path that is only partly known. If parts of the path are known, the pattern must match these parts.
func mayDeny(p *pattern.Tool, e *effect.Effect, tool string) bool {
	if e.Kind == effect.Opaque && (e.Has(effect.TooLarge) || pattern.FamilyOf(tool) == pattern.WriteFamily) {
		return p.Spec == pattern.CommandSpec || p.Spec == pattern.PathSpec && p.Family() == pattern.WriteFamily
	}
	if p.Spec != pattern.PathSpec || !e.Unknown || familyOf(e) != pattern.WriteFamily ||
		p.Family() != pattern.WriteFamily {
		return false
	}
	before, behind := knownParts(e.Path)
	starts := []string{before}
	if before == "" {
		starts = []string{"", "/", "~/"}
	}
	for _, start := range starts {
		middle := "*"
		for range maxUnknownFolders {
			if p.MatchPath(pattern.Path{Name: start + middle + behind, Glob: true, Tree: e.Tree || behind == ""}) {
				return true
			}
			middle += "/*"
		}
	}
	return false
}

// knownParts returns the parts of a path before and after the unknown part. If no part is marked as unknown, the path
// is relative to an unknown folder.
func knownParts(path string) (before, behind string) {
	first := strings.IndexAny(path, "$`")
	if first < 0 {
		return "", "/" + path
	}
	last := strings.LastIndexAny(path, "$`)}")
	if slash := strings.IndexByte(path[last:], '/'); slash >= 0 {
		behind = path[last+slash:]
	}
	return path[:first], behind
}
