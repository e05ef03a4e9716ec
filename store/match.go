package store

import (
	"cmp"
	"slices"
	"strings"

	"guardrails/guideline"
)

// Matches reports whether a guideline matches all fields that are set in the filter.
func (f *Filter) Matches(g *guideline.Guideline) bool {
	for value, list := range map[*string][]string{
		&f.Agent: g.Condition.Agents, &f.Domain: g.Condition.Domains, &f.Action: g.Condition.Actions,
		&f.Event: g.Condition.Events, &f.Tag: Tags(g),
	} {
		if *value != "" && !slices.Contains(list, *value) {
			return false
		}
	}
	text := Searchable(g)
	return (f.Category == "" || g.Category == f.Category) && (f.Enabled == nil || *f.Enabled == g.Enabled) &&
		(f.ProjectID == nil || *f.ProjectID == g.ProjectID) &&
		(f.PriorityFrom == nil || g.Priority >= *f.PriorityFrom) && (f.PriorityBelow == nil || g.Priority < *f.PriorityBelow) &&
		!slices.ContainsFunc(f.Words(), func(word string) bool { return !strings.Contains(text, word) })
}

// Compare compares two guidelines in the order of the query. If their sort fields are equal, it compares their keys.
func (q *ListQuery) Compare(a, b *guideline.Guideline) int {
	var order int
	switch q.Sort {
	case ByName:
		order = strings.Compare(Fold(a.Name), Fold(b.Name))
	case ByCategory:
		order = cmp.Compare(a.Category, b.Category)
	case ByUpdated:
		order = a.UpdatedAt.Compare(b.UpdatedAt)
	default:
		order = cmp.Compare(a.Priority, b.Priority)
	}
	if q.Order == Descending {
		order = -order
	}
	return cmp.Or(order, strings.Compare(KeyOf(a), KeyOf(b)))
}
