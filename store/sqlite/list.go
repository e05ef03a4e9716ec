package sqlite

import (
	"context"
	"strings"

	"guardrails/guideline"
	"guardrails/store"
)

// The fields of labels. The numbers are stored in the file.
const (
	labelAgent = iota + 1
	labelDomain
	labelAction
	labelEvent
	labelTag
	labelProject
)

// List returns one page of the guidelines that match a filter.
func (s *Store) List(
	ctx context.Context, tenant string, q store.ListQuery,
) (page store.Page[guideline.Guideline], err error) {
	q, err = q.WithDefaults()
	if err != nil {
		return page, err
	}
	page.Paging = q.Paging
	err = s.read(ctx, tenant, func(v *view) error {
		where := listConditions(v.tenant, &q.Filter)
		count := "SELECT count(*) FROM guideline g WHERE " + where.text()
		if err := v.QueryRowContext(ctx, count, where.args...).Scan(&page.Total); err != nil {
			return err
		}
		order := listOrder(q.Sort, q.Order)
		query := "SELECT r.body FROM (SELECT * FROM guideline g WHERE " + where.text() + " ORDER BY " + order +
			" LIMIT ? OFFSET ?) g JOIN revision r ON r.row = g.revision ORDER BY " + order
		page.Items, err = v.guidelines(query, append(where.args, q.Size, q.Offset())...)
		return err
	})
	return page, err
}

// listOrder returns the ORDER BY terms of a list. It is safe to put sort into SQL, because the query was checked.
func listOrder(sort store.Sort, order store.Order) string {
	direction := " ASC"
	if order == store.Descending {
		direction = " DESC"
	}
	return "g." + string(sort) + direction + ", g.id"
}

// conditions are the terms of a WHERE clause, joined by AND, and their arguments.
type conditions struct {
	terms []string
	args  []any
}

func (c *conditions) add(term string, args ...any) {
	c.terms = append(c.terms, term)
	c.args = append(c.args, args...)
}

func (c *conditions) text() string { return strings.Join(c.terms, " AND ") }

func listConditions(tenant int64, f *store.Filter) *conditions {
	var c conditions
	c.add("g.tenant = ?", tenant)
	if f.Category != "" {
		c.add("g.category = ?", string(f.Category))
	}
	if f.Enabled != nil {
		c.add("g.enabled = ?", *f.Enabled)
	}
	for field, value := range []string{
		labelAgent: f.Agent, labelDomain: f.Domain, labelAction: f.Action, labelEvent: f.Event, labelTag: f.Tag,
	} {
		if value != "" {
			const labelled = "g.row IN (SELECT guideline FROM label WHERE tenant = ? AND field = ? AND value = ?)"
			c.add(labelled, tenant, field, value)
		}
	}
	if f.ProjectID != nil {
		c.addProject(tenant, *f.ProjectID)
	}
	for _, word := range f.Words() {
		c.add("instr(g.search, ?) > 0", word)
	}
	return &c
}

// addProject selects the guidelines of a project. An empty text selects guidelines that belong to all projects.
func (c *conditions) addProject(tenant int64, projectID string) {
	if projectID == "" {
		c.add("g.row NOT IN (SELECT guideline FROM label WHERE tenant = ? AND field = ?)", tenant, labelProject)
		return
	}
	const labelled = "g.row IN (SELECT guideline FROM label WHERE tenant = ? AND field = ? AND value = ?)"
	c.add(labelled, tenant, labelProject, projectID)
}

// labels returns the values of a guideline that a list can be filtered by, for each label field.
func labels(g *guideline.Guideline) [][]string {
	list := [][]string{
		labelAgent: g.Condition.Agents, labelDomain: g.Condition.Domains, labelAction: g.Condition.Actions,
		labelEvent: g.Condition.Events, labelTag: store.Tags(g),
		labelProject: nil,
	}
	if g.ProjectID != "" {
		list[labelProject] = []string{g.ProjectID}
	}
	return list
}
