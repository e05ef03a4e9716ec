package sqlite

import (
	"context"
	"strings"

	"guardrails/guideline"
	"guardrails/store"
)

// The fields of labels. A label is a value by which lists can be filtered. These numbers are stored in the file.
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
	pager, err := store.NewPager[guidelinePlace](q.Paging, "sqlite guidelines", tenant, q.Filter, q.Sort, q.Order)
	if err != nil {
		return page, err
	}
	var found []guideline.Guideline
	total := 0
	err = s.read(ctx, tenant, func(v *view) error {
		where := listConditions(v.tenant, &q.Filter)
		if pager.Place == nil {
			count := "SELECT count(*) FROM guideline g WHERE " + where.text()
			if err := v.QueryRowContext(ctx, count, where.args...).Scan(&total); err != nil {
				return err
			}
		} else {
			where.addAfter(&q, pager.Place)
		}
		order := listOrder(q.Sort, q.Order)
		query := "SELECT r.body FROM (SELECT * FROM guideline g WHERE " + where.text() + " ORDER BY " + order +
			" LIMIT ? OFFSET ?) g JOIN revision r ON r.row = g.revision ORDER BY " + order
		found, err = v.guidelines(query, append(where.args, pager.Limit(), pager.Skip())...)
		return err
	})
	if err != nil {
		return page, err
	}
	return store.PageOf(&pager, found, total, func(i int) guidelinePlace { return placeOf(&q, &found[i]) })
}

// guidelinePlace is the place of a guideline in a list. If the sort field is a text, Text has the value of this field.
// Otherwise, Number has the value.
type guidelinePlace struct {
	Text   string `json:"s,omitempty"`
	Number int64  `json:"n,omitempty"`
	Key    string `json:"k"`
}

func placeOf(q *store.ListQuery, g *guideline.Guideline) guidelinePlace {
	at := guidelinePlace{Key: store.KeyOf(g)}
	switch q.Sort {
	case store.ByName:
		at.Text = store.Fold(g.Name)
	case store.ByCategory:
		at.Text = string(g.Category)
	case store.ByUpdated:
		at.Number = g.UpdatedAt.UnixMilli()
	default:
		at.Number = int64(g.Priority)
	}
	return at
}

// addAfter selects the guidelines after a place. The first of the two terms lets SQLite begin at this place in the
// index.
func (c *conditions) addAfter(q *store.ListQuery, at *guidelinePlace) {
	var value any = at.Number
	if q.Sort == store.ByName || q.Sort == store.ByCategory {
		value = at.Text
	}
	beyond := ">"
	if q.Order == store.Descending {
		beyond = "<"
	}
	column := "g." + string(q.Sort)
	c.add(column+" "+beyond+"= ?", value)
	c.add("("+column+" "+beyond+" ? OR g.id > ?)", value, at.Key)
}

// listOrder returns the ORDER BY terms of a list. It is safe to put the value of "sort" into the SQL text, because
// earlier checks accept only the known sort fields.
func listOrder(sort store.Sort, order store.Order) string {
	direction := " ASC"
	if order == store.Descending {
		direction = " DESC"
	}
	return "g." + string(sort) + direction + ", g.id"
}

// The type "conditions" has the terms of a WHERE clause, joined by AND, and their arguments.
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
	if f.PriorityFrom != nil {
		c.add("g.priority >= ?", *f.PriorityFrom)
	}
	if f.PriorityBelow != nil {
		c.add("g.priority < ?", *f.PriorityBelow)
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

// For each label field, labels() returns the values that a guideline has in this field. Lists can be filtered by these
// values.
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
