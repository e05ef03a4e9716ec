package decide

import (
	"strings"

	"guardrails/detect/effect"
	"guardrails/guideline/pattern"
)

// maxUnknownFolders is how many folders the unknown part of a path is taken to stand for at most.
const maxUnknownFolders = 6

// mayDeny reports whether a denied pattern may speak of what nobody knows: what stands in a call that was not analysed
// whole, and what is changed at a path that is not known. What is known of the path, before and behind the unknown part,
// must fit.
func mayDeny(p *pattern.Tool, e *effect.Effect, tool string) bool {
	if e.Kind == effect.Opaque && (e.Has(effect.TooLarge) || pattern.FamilyOf(tool) == pattern.WriteFamily) {
		return p.Spec == pattern.CommandSpec || p.Spec == pattern.PathSpec && p.Family() == pattern.WriteFamily
	}
	if p.Spec != pattern.PathSpec || !e.Unknown || familyOf(e) != pattern.WriteFamily || p.Family() != pattern.WriteFamily {
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

// knownParts are what is known of a path before its unknown part and behind it. A path that shows no unknown part lies
// in a folder that is not known.
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
