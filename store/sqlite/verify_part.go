package sqlite

import "guardrails/store"

// The methods of the type "reading" read the entries of a tenant for a verification.
type reading struct {
	*view
	verification *store.Verification
	// The field "chains" maps the id that a chain has in the database file to the chain.
	chains map[int64]store.Chain
	// The map "days" has the days of the entries that were read. The map "last" has, for each chain, the largest row
	// number that was read. If all entries are read, the map "last" is nil.
	days map[int64]bool
	last map[int64]int64
	// The field "day" is the day of the last entry that was read. The map "ended" has the days at the end of each part.
	// If another verification follows, it reads entries of these days, too.
	day   int64
	ended map[int64]bool
}

// entries() reads the entries that this verification must read, in the order of appending.
func (r *reading) entries() error {
	if !r.verification.Partial() {
		return r.rows("ORDER BY e.row")
	}
	r.last = map[int64]int64{}
	for id, chain := range r.chains {
		for _, span := range r.verification.Spans(chain) {
			const part = "AND e.chain = ? AND e.seq BETWEEN ? AND ? ORDER BY e.seq"
			if err := r.rows(part, id, span.First, span.Last); err != nil {
				return err
			}
			r.ended[r.day] = true
		}
	}
	if !r.verification.Continues() { // counting in each slice would take too long
		if err := r.count(); err != nil {
			return err
		}
	}
	for _, h := range r.verification.Unread() {
		if held, err := r.holds(h); err != nil {
			return err
		} else if !held {
			r.verification.Lacks(h)
		}
	}
	return nil
}

// rows() reads the entries that a condition selects.
func (r *reading) rows(condition string, args ...any) error {
	return eachRow(r.ctx, r, auditRows+condition, append([]any{r.tenant}, args...), func(scan func(...any) error) error {
		var row auditRow
		if err := row.scan(scan); err != nil {
			return err
		}
		row.verify(r.verification, r.chains[row.chain])
		r.day = row.time - row.time%length(spanDay)
		r.days[r.day] = true
		if r.last != nil {
			r.compareRow(&row)
		}
		return nil
	})
}

// compareRow finds an entry whose row number is smaller than the row number of an earlier entry of the same chain.
func (r *reading) compareRow(row *auditRow) {
	if row.row < r.last[row.chain] {
		r.verification.Misplaced(r.chains[row.chain], row.seq)
	}
	r.last[row.chain] = max(row.row, r.last[row.chain])
}

// count() counts the entries of each chain. The verification can therefore notice missing and additional entries in the
// parts that it does not read.
func (r *reading) count() error {
	var all, inChains int64
	for id, chain := range r.chains {
		var entries int64
		const count = "SELECT count(*) FROM entry WHERE chain = ?"
		if err := r.QueryRowContext(r.ctx, count, id).Scan(&entries); err != nil {
			return err
		}
		r.verification.Counted(chain, entries)
		inChains += entries
	}
	const count = "SELECT count(*) FROM entry WHERE tenant = ?"
	if err := r.QueryRowContext(r.ctx, count, r.tenant).Scan(&all); err != nil {
		return err
	}
	r.verification.CountedAll(all, inChains)
	return nil
}
