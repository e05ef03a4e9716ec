package elastic

import (
	"context"
	"strings"

	"guardrails/guideline"
	"guardrails/store"
)

// List returns one page of the guidelines that match a filter.
func (s *Store) List(ctx context.Context, tenant string, q store.ListQuery) (store.Page[guideline.Guideline], error) {
	q, err := q.WithDefaults()
	if err != nil {
		return store.Page[guideline.Guideline]{}, err
	}
	return read(ctx, s, tenant, func(j *journal) (store.Page[guideline.Guideline], error) {
		page := store.Page[guideline.Guideline]{Items: []guideline.Guideline{}, Paging: q.Paging}
		search := query{
			index: configIndex, Query: all(append(visible(tenant, j.Generation), filters(&q.Filter)...)...),
			Sort: order{}.by(sortField(q.Sort), string(q.Order)).by("id", "asc"),
		}
		r, err := s.page(ctx, search, q.Offset(), q.Size)
		if err != nil {
			return page, err
		}
		page.Total = r.Hits.Total.Value
		for i := range r.Hits.Hits {
			k, err := s.decodeRevision(r.Hits.Hits[i].Source)
			if err != nil {
				return page, err
			}
			page.Items = append(page.Items, k.Guideline)
		}
		return page, nil
	})
}

func sortField(sort store.Sort) string {
	switch sort {
	case store.ByName:
		return "name_folded"
	case store.ByCategory:
		return "category"
	case store.ByUpdated:
		return "updated_at"
	default:
		return "priority"
	}
}

// filters converts a filter of guidelines into filters of a search request.
func filters(f *store.Filter) []tree {
	var out []tree
	for field, value := range map[string]string{
		"category": string(f.Category), "condition.agents": f.Agent, "condition.domains": f.Domain, "condition.actions": f.Action,
		"condition.events": f.Event, "tags": f.Tag,
	} {
		if value != "" {
			out = append(out, term(field, value))
		}
	}
	if f.Enabled != nil {
		out = append(out, term("enabled", *f.Enabled))
	}
	if p := f.ProjectID; p != nil && *p != "" {
		out = append(out, term("project_id", *p))
	} else if p != nil {
		out = append(out, not(tree{"exists": tree{"field": "project_id"}}))
	}
	for _, word := range f.Words() {
		out = append(out, tree{"wildcard": tree{"searchable": tree{"value": "*" + escapeWildcards(word) + "*"}}})
	}
	return out
}

func escapeWildcards(word string) string {
	return strings.NewReplacer(`\`, `\\`, `*`, `\*`, `?`, `\?`).Replace(word)
}
