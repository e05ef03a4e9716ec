package elastic

import (
	"context"
	"encoding/json"
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
	pager, err := store.NewPager[sortValues](q.Paging, "elastic guidelines", tenant, q.Filter, q.Sort, q.Order)
	if err != nil {
		return store.Page[guideline.Guideline]{}, err
	}
	return read(ctx, s, tenant, func(ctx context.Context, j *journal) (store.Page[guideline.Guideline], error) {
		search, err := s.revisions(ctx, j, append(visible(j.Generation), filters(&q.Filter)...)...)
		if err != nil {
			return store.Page[guideline.Guideline]{}, err
		}
		search.Sort = order{}.by(sortField(q.Sort), string(q.Order)).by("id", "asc")
		if pager.Place != nil {
			search.After = *pager.Place
		}
		return readPage(ctx, s, search, &pager, func(source json.RawMessage) (guideline.Guideline, error) {
			k, err := s.decodeRevision(source)
			return k.Guideline, err
		})
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

// filters() converts a filter of guidelines into filters of a search request.
func filters(f *store.Filter) []tree {
	var out []tree
	for field, value := range map[string]string{
		"category": string(f.Category), "condition.agents": f.Agent, "condition.domains": f.Domain,
		"condition.actions": f.Action,
		"condition.events":  f.Event, "tags": f.Tag,
	} {
		if value != "" {
			out = append(out, term(field, value))
		}
	}
	if f.Enabled != nil {
		out = append(out, term("enabled", *f.Enabled))
	}
	if f.PriorityFrom != nil {
		out = append(out, span("priority", tree{"gte": *f.PriorityFrom}))
	}
	if f.PriorityBelow != nil {
		out = append(out, span("priority", tree{"lt": *f.PriorityBelow}))
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
