package sqlite

import (
	"fmt"
	"maps"

	"guardrails/guideline"
	"guardrails/store"
)

// wrongIndices finds altered rows that would make lists of guidelines or pages of the audit wrong.
func (v *reading) wrongIndices(tenant string) (out []store.Verdict, err error) {
	found := func(why string) {
		head := store.Head{Chain: store.Chain{Tenant: tenant, Kind: store.KindChange}}
		out = append(out, store.Verdict{Head: head, Fault: &store.Fault{Damage: store.Altered, Why: why}})
	}
	if err := v.compareIndex(found); err != nil {
		return nil, err
	}
	if err := v.compareSchema(found); err != nil {
		return nil, err
	}
	wrong, err := v.miscounted()
	if wrong > 0 {
		found(fmt.Sprintf("%d stored counts of entries are wrong, so pages of the audit may be incomplete", wrong))
	}
	return out, err
}

// compareIndex finds each guideline that differs from its row or its labels in the index. Lists would show such a
// guideline wrongly, or not at all.
func (v *view) compareIndex(found func(why string)) error {
	labelled, err := v.labelled()
	if err != nil {
		return err
	}
	const listed = `SELECT g.row, g.priority, g.category, g.enabled, g.updated, g.name, g.search, r.body
		FROM guideline g JOIN revision r ON r.row = g.revision WHERE g.tenant = ? ORDER BY g.id`
	return eachRow(v.ctx, v, listed, []any{v.tenant}, func(scan func(...any) error) error {
		var row indexed
		var id int64
		var body string
		if err := scan(
			&id, &row.priority, &row.category, &row.enabled, &row.updated, &row.name, &row.search, &body,
		); err != nil {
			return err
		}
		g, err := v.store.parse(body)
		if err == nil && (row != indexOf(&g) || !maps.Equal(labelled[id], labelsOf(&g))) {
			found(fmt.Sprintf("the index of guideline %s differs from its text, so guardrails list may show it incorrectly",
				g.ID))
		}
		return err
	})
}

// The type "label" is a value of a guideline, such as a domain or a tag. Lists can be filtered by it.
type label struct {
	field int
	value string
}

// labelled() returns the stored labels of all guidelines of a tenant. The keys of the result are the rows of the
// guidelines.
func (v *view) labelled() (map[int64]map[label]bool, error) {
	out := map[int64]map[label]bool{}
	const find = "SELECT guideline, field, value FROM label WHERE tenant = ?"
	err := eachRow(v.ctx, v, find, []any{v.tenant}, func(scan func(...any) error) error {
		var row int64
		var l label
		err := scan(&row, &l.field, &l.value)
		if out[row] == nil {
			out[row] = map[label]bool{}
		}
		out[row][l] = true
		return err
	})
	return out, err
}

func labelsOf(g *guideline.Guideline) map[label]bool {
	out := map[label]bool{}
	for field, values := range labels(g) {
		for _, value := range values {
			out[label{field, value}] = true
		}
	}
	return out
}

// The type "indexed" has those fields of a guideline by which lists can be filtered and sorted.
type indexed struct {
	priority               int
	category, name, search string
	enabled                bool
	updated                int64
}

func indexOf(g *guideline.Guideline) indexed {
	return indexed{
		priority: g.Priority, category: string(g.Category), name: store.Fold(g.Name), search: store.Searchable(g),
		enabled: g.Enabled, updated: g.UpdatedAt.UnixMilli(),
	}
}
