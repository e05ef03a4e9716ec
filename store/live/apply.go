package live

import (
	"slices"
	"strings"

	"guardrails/guideline"
	"guardrails/store"
)

// apply() applies the changes in c to the list of guidelines in the parameter "had", and returns the resulting list.
// Both lists are ordered by key. If c does not have every guideline, the two lists share the guidelines that did not
// change.
func apply(had []*guideline.Guideline, c *store.Changes) []*guideline.Guideline {
	changed := compact(c.Changed)
	if c.Whole {
		return changed
	}
	out := make([]*guideline.Guideline, 0, len(had)+len(changed))
	removed := c.Removed
	for len(changed) > 0 || len(removed) > 0 {
		var key string
		var next []*guideline.Guideline
		if len(removed) == 0 || len(changed) > 0 && store.KeyOf(changed[0]) < removed[0] {
			key, next, changed = store.KeyOf(changed[0]), changed[:1], changed[1:]
		} else {
			key, removed = removed[0], removed[1:]
		}
		at, found := search(had, key)
		out = append(append(out, had[:at]...), next...)
		if had = had[at:]; found {
			had = had[1:]
		}
	}
	return append(out, had...)
}

// affected() returns those guidelines of a list that are added, changed or removed by the changes in c.
func affected(list []*guideline.Guideline, c *store.Changes) (out []*guideline.Guideline) {
	add := func(key string) {
		if at, found := search(list, key); found {
			out = append(out, list[at])
		}
	}
	for i := range c.Changed {
		add(store.KeyOf(&c.Changed[i]))
	}
	for _, key := range c.Removed {
		add(key)
	}
	return out
}

// search() returns the position of a key in guidelines that are ordered by key.
func search(list []*guideline.Guideline, key string) (at int, found bool) {
	return slices.BinarySearchFunc(list, key, func(g *guideline.Guideline, key string) int {
		return strings.Compare(store.KeyOf(g), key)
	})
}
