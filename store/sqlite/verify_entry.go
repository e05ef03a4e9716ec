package sqlite

import "guardrails/store"

// auditRows selects entries, with the texts in their indexed columns.
const auditRows = `SELECT e.row, e.chain, e.seq, e.time, e.id, ev.text, g.text, s.text, a.text,
		r.text, p.text, ag.text, m.text, e.hash, e.body FROM entry e
	LEFT JOIN name ev ON ev.id = e.event LEFT JOIN name g ON g.id = e.guideline
	LEFT JOIN name s ON s.id = e.session LEFT JOIN name a ON a.id = e.actor
	LEFT JOIN name r ON r.id = e.result LEFT JOIN name p ON p.id = e.project
	LEFT JOIN name ag ON ag.id = e.agent LEFT JOIN name m ON m.id = e.mode
	WHERE e.tenant = ? `

// auditRow is an entry and its indexed columns. Verification compares the entry with these columns, because searches do
// not find an entry whose columns were altered.
type auditRow struct {
	row, chain, seq, time int64
	id, hash, body        string

	// The field "texts" has the texts that the numbers in the columns stand for. A text is nil if the file has no text for
	// the number.
	texts [fields]*string
}

func (r *auditRow) scan(scan func(...any) error) error {
	t := &r.texts
	return scan(&r.row, &r.chain, &r.seq, &r.time, &r.id,
		&t[fieldEvent], &t[fieldGuideline], &t[fieldSession], &t[fieldActor],
		&t[fieldResult], &t[fieldProject], &t[fieldAgent], &t[fieldMode], &r.hash, &r.body)
}

func (r *auditRow) verify(v *store.Verification, c store.Chain) {
	e, err := store.DecodeEntry([]byte(r.body))
	if err != nil {
		v.Unreadable(c, r.seq, err.Error())
		return
	}
	e.Hash = r.hash
	if c.Writer == "" {
		c = e.Chain() // the head of the entry's chain is missing
	}
	if column := r.differs(&e); column != "" && e.IsGenuine() {
		v.Unreadable(c, e.Seq, "its "+column+" in the index differs from the entry")
		return
	}
	if !store.IsHash([]byte(r.body), r.hash) && e.IsGenuine() {
		v.Unreadable(c, e.Seq, "its text in the database is not the text that was hashed")
		return
	}
	v.Next(c, &e)
}

// differs() returns the name of an indexed column that differs from the entry, or "".
func (r *auditRow) differs(e *store.Entry) string {
	switch {
	case r.seq != e.Seq:
		return "number"
	case r.time != e.Time.UnixMilli():
		return "time"
	case r.id != e.ID:
		return "id"
	}
	want := textsOf(e)
	for field, column := range columns() {
		if column != "" && (r.texts[field] == nil || *r.texts[field] != want[field]) {
			return column
		}
	}
	return ""
}
