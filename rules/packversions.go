package rules

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"guardrails/guideline"
)

// AddPackVersion returns the list of a pack's versions. If the guidelines differ from the newest version in the
// list, it adds a new version.
func AddPackVersion(versions string, guidelines []guideline.Guideline) string {
	known := PackTexts{}
	known.read("", versions)
	next, changed := packVersion(versions)+1, false
	add := func(id, hash string) {
		if newest, found := known.Current(id); !found || newest.hash != hash {
			known[id], changed = append(known[id], PackText{Version: next, hash: hash}), true
		}
	}
	present := map[string]bool{}
	for i := range guidelines {
		present[guidelines[i].ID] = true
		add(guidelines[i].ID, packHash(&guidelines[i]))
	}
	for id := range known {
		if !present[id] {
			add(id, withdrawn)
		}
	}
	if !changed {
		return versions
	}
	return known.list(next)
}

// list() writes the texts of one pack as a list of versions.
func (k PackTexts) list(newest int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "version %d\n", newest)
	for _, id := range slices.Sorted(maps.Keys(k)) {
		b.WriteString(id)
		for _, text := range k[id] {
			fmt.Fprintf(&b, " %d:%s", text.Version, text.hash)
		}
		b.WriteString("\n")
	}
	return b.String()
}
