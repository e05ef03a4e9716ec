package evaluator

import (
	"cmp"
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
	fine, coarse layer
}

// texts are the text fields and the tenant, in the order of the columns.
type texts [6]string

func textsOf(c *guideline.Context) texts {
	return texts{c.Agent, c.Domain, c.Action, c.Event, c.GateType, c.TenantID}
}

// textField is the field of a column; zero for the tenant, which is never unknown.
func textField(i int) guideline.Fields {
	return [...]guideline.Fields{
		guideline.FieldAgent, guideline.FieldDomain, guideline.FieldAction, guideline.FieldEvent, guideline.FieldGateType, 0,
	}[i]
}

func newIndex(rules []rule) *index {
	x := &index{order: clustered(rules)}
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
	var enabled []*rule
	for number := range rules {
		if rules[number].guideline.Enabled {
			enabled = append(enabled, &rules[number])
		}
	}
	slices.SortStableFunc(enabled, func(a, b *rule) int {
		x, y := textConditions(a.guideline), textConditions(b.guideline)
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
	order := make([]int, len(enabled))
	for position, r := range enabled {
		order[position] = r.number
	}
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

// find marks the guidelines that fit a query's text fields and tenant.
func (x *index) find(q *Query, found marks) {
	var fine, coarse [6]row
	count := x.rows(q, &fine, &coarse)
	for top := range wordsFor(wordsFor(len(x.order))) {
		for words := intersect(coarse[:count], top); words != 0; words &= words - 1 {
			word := top*wordSize + bits.TrailingZeros64(words)
			for fits := intersect(fine[:count], word); fits != 0; fits &= fits - 1 {
				found.add(x.order[word*wordSize+bits.TrailingZeros64(fits)])
			}
		}
	}
}

// rows are the columns as a query sees them; an unknown field excludes nothing and has no row.
func (x *index) rows(q *Query, fine, coarse *[6]row) (count int) {
	given := textsOf(&q.Context)
	for i := range x.columns {
		c := &x.columns[i]
		if q.Unknown.Has(textField(i)) {
			continue
		}
		fine[count], coarse[count] = c.fine.row(given[i]), c.coarse.row(given[i])
		count++
	}
	return count
}
