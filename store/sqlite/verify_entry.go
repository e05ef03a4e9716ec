package sqlite

import "guardrails/store"

// auditRows selects entries, with the texts in their indexed columns.
const auditRows = `SELECT e.row, e.chain, e.seq, e.time, e.id, ev.text, g.text, s.text, a.text, e.hash, e.body FROM entry e
	LEFT JOIN name ev ON ev.id = e.event LEFT JOIN name g ON g.id = e.guideline
	LEFT JOIN name s ON s.id = e.session LEFT JOIN name a ON a.id = e.actor
	WHERE e.tenant = ? `

// auditRow is an entry and its indexed columns. Searches would not find an entry whose columns were altered.
type auditRow struct {
	row, chain, seq, time int64
	id, hash, body        string

	event, guideline, session, actor *string
}

func (r *auditRow) scan(scan func(...any) error) error {
	return scan(&r.row, &r.chain, &r.seq, &r.time, &r.id, &r.event, &r.guideline, &r.session, &r.actor, &r.hash, &r.body)
}

func (r *auditRow) verify(v *store.Verification, c store.Chain) {
	e, err := store.DecodeEntry([]byte(r.body))
	if err != nil {
		v.Unreadable(c, r.seq, err.Error())
		return
	}
	e.Hash = r.hash
	if c.Writer == "" {
		c = e.Chain() // its head is missing
	}
	if column := r.differs(&e); column != "" {
		v.Unreadable(c, e.Seq, "its "+column+" in the index differs from the entry")
		return
	}
	v.Next(c, &e)
}

// differs returns the name of an indexed column that differs from the entry, or "".
func (r *auditRow) differs(e *store.Entry) string {
	switch {
	case r.seq != e.Seq:
		return "number"
	case r.time != e.Time.UnixMilli():
		return "time"
	case r.id != e.ID:
		return "id"
	case text(r.event) != e.Event:
		return "event"
	case text(r.guideline) != e.Guideline:
		return "guideline"
	case text(r.session) != e.Session:
		return "session"
	case text(r.actor) != e.Actor:
		return "actor"
	}
	return ""
}

// text returns the text that a number stands for. If s is nil, the number has no text, and text returns one that no
// entry can have.
func text(s *string) string {
	if s == nil {
		return "\x00"
	}
	return *s
}
