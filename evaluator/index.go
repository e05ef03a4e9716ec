package evaluator

import (
	"cmp"
	"iter"
	"math/bits"
	"slices"

	"guardrails/guideline"
)

// index finds the guidelines whose text fields and tenant fit a query without looking at the others.
//
// Every column holds sets of guidelines as bits, 64 to a word, and a query is answered by intersecting one set of each
// column; a field that is unknown is left out. Guidelines with like conditions stand side by side, so what fits is found
// in a few words, and a coarse set with a bit for each word tells which: 4,096 guidelines are passed over at a time.
type index struct {
	// order is the guideline's number at each position.
	order   []int
	columns [6]column
}

const wordSize = 64

// column is what the guidelines ask of one field, by position and by word of positions.
type column struct {
	// field is zero for the tenant, which is never unknown.
	field        guideline.Fields
	given        func(*guideline.Context) string
	fine, coarse layer
}

func newIndex(rules []rule) *index {
	x := &index{order: clustered(rules), columns: [6]column{
		{field: guideline.FieldAgent, given: func(c *guideline.Context) string { return c.Agent }},
		{field: guideline.FieldDomain, given: func(c *guideline.Context) string { return c.Domain }},
		{field: guideline.FieldAction, given: func(c *guideline.Context) string { return c.Action }},
		{field: guideline.FieldEvent, given: func(c *guideline.Context) string { return c.Event }},
		{field: guideline.FieldGateType, given: func(c *guideline.Context) string { return c.GateType }},
		{given: func(c *guideline.Context) string { return c.TenantID }},
	}}
	for i := range x.columns {
		x.columns[i].fine = newLayer(len(x.order))
		x.columns[i].coarse = newLayer(wordsFor(len(x.order)))
	}
	for position, number := range x.order {
		for i, values := range textConditions(rules[number].guideline) {
			x.columns[i].fine.add(position, values)
			x.columns[i].coarse.add(position/wordSize, values)
		}
	}
	return x
}

// clustered lists the numbers of enabled guidelines so that those with like conditions stand together.
func clustered(rules []rule) []int {
	var order []int
	for number := range rules {
		if rules[number].guideline.Enabled {
			order = append(order, number)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int {
		x, y := textConditions(rules[a].guideline), textConditions(rules[b].guideline)
		for i := range x {
			if c := cmp.Compare(min(len(x[i]), 1), min(len(y[i]), 1)); c != 0 {
				return c
			}
		}
		for i := range x {
			if c := slices.Compare(x[i], y[i]); c != 0 {
				return c
			}
		}
		return 0
	})
	return order
}

// textConditions is what a guideline asks of each column.
func textConditions(g *guideline.Guideline) [6][]string {
	c := &g.Condition
	out := [6][]string{c.Agents, c.Domains, c.Actions, c.Events, c.GateTypes}
	if g.TenantID != "" {
		out[5] = []string{g.TenantID}
	}
	return out
}

// candidates are the numbers of the guidelines that fit a query's text fields and tenant, in no order of meaning.
func (x *index) candidates(q *Query) iter.Seq[int] {
	return func(yield func(int) bool) {
		var fine, coarse [6]row
		count := x.rows(q, &fine, &coarse)
		for top := range wordsFor(wordsFor(len(x.order))) {
			for words := intersect(coarse[:count], top); words != 0; words &= words - 1 {
				word := top*wordSize + bits.TrailingZeros64(words)
				for found := intersect(fine[:count], word); found != 0; found &= found - 1 {
					if !yield(x.order[word*wordSize+bits.TrailingZeros64(found)]) {
						return
					}
				}
			}
		}
	}
}

// rows are the columns as a query sees them; an unknown field excludes nothing and has no row.
func (x *index) rows(q *Query, fine, coarse *[6]row) (count int) {
	for i := range x.columns {
		c := &x.columns[i]
		if q.Unknown.Has(c.field) {
			continue
		}
		value := c.given(&q.Context)
		fine[count], coarse[count] = c.fine.row(value), c.coarse.row(value)
		count++
	}
	return count
}
