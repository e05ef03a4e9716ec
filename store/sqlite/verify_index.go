package sqlite

import (
	"fmt"
	"maps"

	"guardrails/guideline"
	"guardrails/store"
)

// misleading finds what keeps readers from guidelines and entries that are there: rows by which lists and pages are
// made.
func (v *view) misleading(tenant string) (out []store.Verdict, err error) {
	found := func(why string) {
		out = append(out, store.Verdict{Head: store.Head{Chain: store.Chain{Tenant: tenant, Kind: store.KindChange}}, Fault: &store.Fault{Damage: store.Altered, Why: why}})
	}
	if err := v.compareIndex(found); err != nil {
		return nil, err
	}
	wrong, err := v.miscounted()
	if wrong > 0 {
		found(fmt.Sprintf("pages of the audit count other entries than there are: %d counts are wrong", wrong))
	}
	return out, err
}

// compareIndex finds guidelines that lists would show otherwise than they are, or not at all.
func (v *view) compareIndex(found func(why string)) error {
	labelled, err := v.labelled()
	if err != nil {
		return err
	}
	const listed = `SELECT g.row, g.priority, g.category, g.enabled, g.updated, g.name, g.search, r.body
		FROM guideline g JOIN revision r ON r.row = g.revision WHERE g.tenant = ? ORDER BY g.id`
	return each(v.ctx, v, listed, []any{v.tenant}, func(scan func(...any) error) error {
		var is indexed
		var row int64
		var body string
		if err := scan(&row, &is.priority, &is.category, &is.enabled, &is.updated, &is.name, &is.search, &body); err != nil {
			return err
		}
		g, err := v.store.parse(body)
		if err == nil && (is != indexOf(&g) || !maps.Equal(labelled[row], labelsOf(&g))) {
			found(fmt.Sprintf("lists have the guideline %s otherwise than it is", g.ID))
		}
		return err
	})
}

// label is a value of a guideline that lists are filtered by.
type label struct {
	field int
	value string
}

// labelled are the labels of a tenant's guidelines, by the rows of these.
func (v *view) labelled() (map[int64]map[label]bool, error) {
	out := map[int64]map[label]bool{}
	err := each(v.ctx, v, "SELECT guideline, field, value FROM label WHERE tenant = ?", []any{v.tenant}, func(scan func(...any) error) error {
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

// indexed is what lists need of a guideline.
type indexed struct {
	priority               int
	category, name, search string
	enabled                bool
	updated                int64
}

func indexOf(g *guideline.Guideline) indexed {
	return indexed{g.Priority, string(g.Category), store.Fold(g.Name), store.Searchable(g), g.Enabled, g.UpdatedAt.UnixMilli()}
}

// miscounted is how many tallies are not what they should be: pages of the audit would leave entries out. Minutes are
// compared with the entries, and days with the minutes.
func (v *view) miscounted() (wrong int, err error) {
	days := fmt.Sprintf("SELECT value, start - start %% %d, event, sum(entries) FROM tally WHERE tenant = ?1 AND field = ?2 AND span = %d GROUP BY 1, 2, 3",
		length(spanDay), spanMinute)
	for field, of := range []string{
		fieldAll:       "0 AS value FROM entry WHERE tenant = ?1",
		fieldGuideline: "guideline AS value FROM entry WHERE tenant = ?1 AND guideline != 0",
		fieldSession:   "session AS value FROM entry WHERE tenant = ?1 AND session != 0",
		fieldActor:     "actor AS value FROM entry WHERE tenant = ?1 AND actor != 0",
	} {
		minutes := fmt.Sprintf("SELECT value, start, event, count(*) FROM (SELECT time - time %% %d AS start, event, %s) GROUP BY 1, 2, 3", length(spanMinute), of)
		for span, truth := range []string{spanDay: days, spanMinute: minutes} {
			n, err := v.differing(field, span, truth)
			if err != nil {
				return 0, err
			}
			wrong += n
		}
	}
	return wrong, nil
}

// differing is how many tallies of a field and a span are missing, too many or others than the true ones.
func (v *view) differing(field, span int, truth string) (n int, err error) {
	const tallies = "SELECT value, start, event, entries FROM tally WHERE tenant = ?1 AND field = ?2 AND span = ?3"
	err = v.QueryRowContext(v.ctx, "WITH truth AS MATERIALIZED ("+truth+"), tallies AS ("+tallies+") SELECT "+
		"(SELECT count(*) FROM (SELECT * FROM truth EXCEPT SELECT * FROM tallies)) + (SELECT count(*) FROM (SELECT * FROM tallies EXCEPT SELECT * FROM truth))",
		v.tenant, field, span).Scan(&n)
	return n, err
}
