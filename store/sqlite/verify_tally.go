package sqlite

import (
	"cmp"
	"fmt"
)

// The type "counted" has two numbers for a span. The field "rows" is the number of tallies that there must be. The
// field "wrong" is the number of tallies that are missing or wrong.
type counted struct{ rows, wrong int }

// miscounted() returns the number of wrong tallies. A wrong tally would make pages of the audit incomplete. The method
// checks the tallies of the days of all entries that were read, unless the next verification reads more of a day. If
// every entry was read, the method also finds tallies that count no entries.
func (v *reading) miscounted() (wrong int, err error) {
	for field := fieldAll; field < fieldEvent; field++ {
		var truth [spanExact]counted
		for day := range v.days {
			if v.verification.Continues() && v.ended[day] {
				continue // counting a day once for each of its parts would take too long
			}
			if err := v.countDay(field, day, &truth); err != nil {
				return 0, err
			}
		}
		for span, n := range truth {
			wrong += n.wrong
			if !v.verification.Partial() {
				more, err := v.superfluousTallies(field, span, n.rows)
				if err != nil {
					return 0, err
				}
				wrong += more
			}
		}
	}
	return wrong, nil
}

// countDay compares the tallies of a field with the entries of one day.
func (v *view) countDay(field int, day int64, truth *[spanExact]counted) error {
	value := cmp.Or(columns()[field], "0")
	query := fmt.Sprintf(`WITH minutes AS MATERIALIZED (
			SELECT %[1]s AS value, time - time %% %[2]d AS start, event, count(*) AS entries FROM entry
			WHERE tenant = ?1 AND time >= ?3 AND time < ?3 + %[3]d AND (?2 = 0 OR %[1]s != 0) GROUP BY 1, 2, 3
		), truth AS (
			SELECT %[4]d AS span, * FROM minutes UNION ALL
			SELECT %[5]d, value, ?3, event, sum(entries) FROM minutes GROUP BY value, event
		)
		SELECT truth.span, count(*), count(*) FILTER (WHERE t.entries IS NOT truth.entries) FROM truth
		LEFT JOIN tally t ON t.tenant = ?1 AND t.field = ?2 AND t.value = truth.value AND t.span = truth.span
			AND t.start = truth.start AND t.event = truth.event
		GROUP BY truth.span`, value, length(spanMinute), length(spanDay), spanMinute, spanDay)
	return eachRow(v.ctx, v, query, []any{v.tenant, field, day}, func(scan func(...any) error) error {
		var span int
		var n counted
		err := scan(&span, &n.rows, &n.wrong)
		truth[span].rows += n.rows
		truth[span].wrong += n.wrong
		return err
	})
}

// superfluousTallies returns the number of superfluous tallies for a field and a span. The parameter "rows" is the
// number of tallies that there must be.
func (v *view) superfluousTallies(field, span, rows int) (more int, err error) {
	const count = "SELECT count(*) FROM tally WHERE tenant = ? AND field = ? AND span = ?"
	err = v.QueryRowContext(v.ctx, count, v.tenant, field, span).Scan(&more)
	return max(0, more-rows), err
}
