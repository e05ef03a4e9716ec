package lint

import (
	"slices"

	"guardrails/guideline"
)

// appliesWherever reports whether guideline s certainly applies whenever the other guideline applies.
func (s *subject) appliesWherever(other *subject) bool {
	if s.fields&^other.fields != 0 || s.TenantID != "" && s.TenantID != other.TenantID {
		return false
	}
	a, b := &s.Condition, &other.Condition
	return wordsWithin(b.Agents, a.Agents) && wordsWithin(b.Domains, a.Domains) && wordsWithin(b.Actions, a.Actions) &&
		wordsWithin(b.Events, a.Events) && wordsWithin(b.GateTypes, a.GateTypes) &&
		pathsWithin(other.paths, s.paths) && customWithin(b.Custom, a.Custom)
}

// wordsWithin reports whether a list contains every one of the given words. An empty list accepts every word.
func wordsWithin(words, list []string) bool {
	if len(list) == 0 {
		return true
	}
	for _, w := range words {
		if !slices.Contains(list, w) {
			return false
		}
	}
	return true
}

func pathsWithin(paths, list []pathPattern) bool {
	if len(list) == 0 {
		return true
	}
	for i := range paths {
		if !slices.ContainsFunc(list, func(p pathPattern) bool { return p.coversPattern(&paths[i]) }) {
			return false
		}
	}
	return true
}

// customWithin compares the custom parts of two conditions. It reports whether all metadata that match the first part
// also match the second part.
func customWithin(custom, list map[string]any) bool {
	for key, accepted := range list {
		values, isSet := custom[key]
		if !isSet {
			return false
		}
		for _, v := range items(values) {
			if !guideline.CustomMatches(map[string]any{key: accepted}, map[string]any{key: v}) {
				return false
			}
		}
	}
	return true
}

func items(value any) []any {
	if list, ok := value.([]any); ok {
		return list
	}
	return []any{value}
}

// mayApplyWith reports whether two guidelines may apply to the same tool call.
func (s *subject) mayApplyWith(other *subject) bool {
	if s.TenantID != "" && other.TenantID != "" && s.TenantID != other.TenantID {
		return false
	}
	a, b := &s.Condition, &other.Condition
	return shareWord(a.Agents, b.Agents) && shareWord(a.Domains, b.Domains) && shareWord(a.Actions, b.Actions) &&
		shareWord(a.Events, b.Events) && shareWord(a.GateTypes, b.GateTypes) &&
		sharePath(s.paths, other.paths) && shareCustom(a.Custom, b.Custom)
}

func shareWord(a, b []string) bool {
	return len(a) == 0 || len(b) == 0 || slices.ContainsFunc(a, func(w string) bool { return slices.Contains(b, w) })
}

func sharePath(a, b []pathPattern) bool {
	if len(a) == 0 || len(b) == 0 {
		return true
	}
	return slices.ContainsFunc(a, func(p pathPattern) bool {
		return slices.ContainsFunc(b, func(q pathPattern) bool { return p.mayMeet(&q) })
	})
}

func shareCustom(a, b map[string]any) bool {
	for key, value := range a {
		if other, isSet := b[key]; isSet && !guideline.CustomMatches(map[string]any{key: value}, map[string]any{key: other}) {
			return false
		}
	}
	return true
}
