package sqlite

import (
	"database/sql"
	"errors"
	"strings"
	"unicode/utf8"

	"guardrails/store"
)

// The type "chain" is a chain to which a transaction adds entries.
type chain struct {
	id   int64
	head store.Head
}

// append() seals entries and stores them in their chains. The result "existed" is true if the store already had one of
// these entries.
func (t *tx) append(entries []*store.Entry) (existed bool, err error) {
	for _, e := range entries {
		c, err := t.chain(e)
		if err != nil {
			return false, err
		}
		head, text, err := c.head.Seal(e)
		if err != nil {
			return false, err
		}
		added, err := t.addEntry(c, e, text)
		if err != nil {
			return false, err
		}
		if added {
			c.head = head
		}
		existed = existed || !added
	}
	return existed, nil
}

// chain() returns the chain of an entry. If the chain does not exist, the method creates it.
func (t *tx) chain(e *store.Entry) (*chain, error) {
	key := store.Chain{Tenant: e.Tenant, Kind: e.Kind}
	if c := t.chains[key]; c != nil {
		return c, nil
	}
	tenant, err := t.number(e.Tenant)
	if err != nil {
		return nil, err
	}
	c := &chain{head: store.Head{Chain: key}}
	const find = "SELECT c.id, c.writer, c.seq, c.hash, c.base, c.base_hash FROM chain c " +
		"JOIN identity i ON i.name = c.writer WHERE c.tenant = ? AND c.kind = ?"
	const insert = "INSERT INTO chain (tenant, writer, kind, seq, hash, base, base_hash) " +
		"SELECT ?, name, ?, 0, '', 0, '' FROM identity"
	scan := func() error {
		h := &c.head
		return t.row(find, tenant, string(e.Kind))(&c.id, &h.Writer, &h.Seq, &h.Hash, &h.Base, &h.BaseHash)
	}
	err = scan()
	if errors.Is(err, sql.ErrNoRows) {
		if _, err = t.exec(insert, tenant, string(e.Kind)); err == nil {
			err = scan()
		}
	}
	t.chains[key] = c
	return c, err
}

// addEntry stores a sealed entry and reports whether it is new. If the store already has an entry with this id,
// addEntry sets e to the stored entry.
func (t *tx) addEntry(c *chain, e *store.Entry, text []byte) (bool, error) {
	var numbers [fields]int64
	names := textsOf(e)
	for i, name := range names {
		var err error
		if numbers[i], err = t.number(name); err != nil {
			return false, err
		}
	}
	at := e.Time.UnixMilli()
	added, err := t.exec(`INSERT INTO entry (tenant, time, event, guideline, session, actor, chain, seq, id, hash, body,
			result, project, agent, mode)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (tenant, id) DO NOTHING`,
		numbers[fieldAll], at, numbers[fieldEvent], numbers[fieldGuideline], numbers[fieldSession], numbers[fieldActor],
		c.id, e.Seq, e.ID, e.Hash, string(text),
		numbers[fieldResult], numbers[fieldProject], numbers[fieldAgent], numbers[fieldMode])
	if err != nil {
		return false, err
	}
	if count, err := added.RowsAffected(); err != nil || count == 0 {
		return false, errors.Join(err, t.reread(numbers[fieldAll], e))
	}
	t.count(&numbers, at, 1)
	return true, nil
}

// textsOf returns the text that an entry has in each field by which entries can be searched. The text of fieldAll is
// the tenant.
func textsOf(e *store.Entry) [fields]string {
	result := ""
	if e.Decision != nil {
		result = e.Decision.Result
	}
	return [fields]string{
		fieldAll: e.Tenant, fieldGuideline: e.Guideline, fieldSession: e.Session, fieldActor: e.Actor, fieldEvent: e.Event,
		fieldResult: filterable(result), fieldProject: filterable(e.ProjectID), fieldAgent: filterable(e.Agent()),
		fieldMode: e.Mode(),
	}
}

// filterable() returns the text to store in the index. The result is "" for a text that is too long, and for a text
// that would change if Go encoded it as JSON and SQLite decoded the JSON.
func filterable(text string) string {
	if len(text) > store.MaxName || !utf8.ValidString(text) || strings.Contains(text, "\x00") ||
		strings.Contains(text, `\u0000`) || strings.ContainsRune(text, utf8.RuneError) {
		return ""
	}
	return text
}

func (t *tx) reread(tenant int64, e *store.Entry) (err error) {
	*e, err = scanEntry(t.row("SELECT body, hash FROM entry WHERE tenant = ? AND id = ?", tenant, e.ID))
	return err
}

func scanEntry(scan func(...any) error) (store.Entry, error) {
	var body, hash string
	if err := scan(&body, &hash); err != nil {
		return store.Entry{}, err
	}
	e, err := store.DecodeEntry([]byte(body))
	e.Hash = hash
	return e, err
}

// flush() stores the heads of the chains and the tallies that the transaction changed.
func (t *tx) flush() error {
	for _, c := range t.chains {
		if _, err := t.exec("UPDATE chain SET seq = ?, hash = ? WHERE id = ?", c.head.Seq, c.head.Hash, c.id); err != nil {
			return err
		}
	}
	return t.flushTallies()
}
