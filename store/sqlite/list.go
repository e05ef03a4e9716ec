package sqlite

import (
	"context"
	"strings"

	"guardrails/guideline"
	"guardrails/store"
)

// The fields of labels. The numbers are in the file.
const (
	labelAgent = iota + 1
	labelDomain
	labelAction
	labelEvent
	labelTag
)

// List gives one page of the guidelines that pass a filter.
func (s *Store) List(ctx context.Context, tenant string, q store.ListQuery) (page store.Page[guideline.Guideline], err error) {
	q, err = q.WithDefaults()
	if err != nil {
		return page, err
	}
	page.Paging = q.Paging
	err = s.read(ctx, tenant, func(v *view) error {
		where := listed(v.tenant, &q.Filter)
		if err := v.QueryRowContext(ctx, "SELECT count(*) FROM guideline g WHERE "+where.text(), where.args...).Scan(&page.Total); err != nil {
			return err
		}
		order := listOrder(q.Sort, q.Order)
		page.Items, err = v.guidelines("SELECT r.body FROM (SELECT * FROM guideline g WHERE "+where.text()+" ORDER BY "+order+
			" LIMIT ? OFFSET ?) g JOIN revision r ON r.row = g.revision ORDER BY "+order, append(where.args, q.Size, q.Offset())...)
		return err
	})
	return page, err
}

// listOrder is the order of a list; all of its words are ours.
func listOrder(sort store.Sort, order store.Order) string {
	direction := " ASC"
	if order == store.Descending {
		direction = " DESC"
	}
	return "g." + string(sort) + direction + ", g.id"
}

// conditions are the terms of a WHERE, all of which must hold, with their arguments.
type conditions struct {
	terms []string
	args  []any
}

func (c *conditions) add(term string, args ...any) {
	c.terms = append(c.terms, term)
	c.args = append(c.args, args...)
}

func (c *conditions) text() string { return strings.Join(c.terms, " AND ") }

func listed(tenant int64, f *store.Filter) *conditions {
	var c conditions
	c.add("g.tenant = ?", tenant)
	if f.Category != "" {
		c.add("g.category = ?", string(f.Category))
	}
	if f.Enabled != nil {
		c.add("g.enabled = ?", *f.Enabled)
	}
	for field, value := range []string{labelAgent: f.Agent, labelDomain: f.Domain, labelAction: f.Action, labelEvent: f.Event, labelTag: f.Tag} {
		if value != "" {
			c.add("g.row IN (SELECT guideline FROM label WHERE tenant = ? AND field = ? AND value = ?)", tenant, field, value)
		}
	}
	for _, word := range f.Words() {
		c.add("instr(g.search, ?) > 0", word)
	}
	return &c
}

// labels are the values of a guideline that lists are filtered by.
func labels(g *guideline.Guideline) [][]string {
	return [][]string{
		labelAgent: g.Condition.Agents, labelDomain: g.Condition.Domains, labelAction: g.Condition.Actions,
		labelEvent: g.Condition.Events, labelTag: store.Tags(g),
	}
}
