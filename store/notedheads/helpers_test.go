package notedheads_test

import (
	"context"
	"database/sql"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"testing"
	"time"

	"guardrails/guideline"
	"guardrails/store"
	"guardrails/store/live"
	"guardrails/store/notedheads"
	"guardrails/store/sqlite"
)

// fixture is a database whose heads are noted in a state folder.
type fixture struct {
	*testing.T
	dir, file string
}

func newFixture(t *testing.T) *fixture {
	t.Helper()
	dir := t.TempDir()
	return &fixture{t, dir, filepath.Join(dir, "store", "guardrails.db")}
}

func (f *fixture) state() string { return filepath.Join(f.dir, "state") }

func (f *fixture) book() *notedheads.Book {
	return notedheads.Open(func() (string, error) { return f.state(), nil }, "sqlite:"+f.file, time.Now)
}

// withStore opens the store in the same way as a program, calls use() with the store of one tenant, and closes the
// store. Closing the store notes the heads.
func (f *fixture) withStore(use func(s *live.TenantStore)) {
	f.Helper()
	opened := live.New(live.Options{
		Open: func(ctx context.Context) (store.Store, error) {
			return sqlite.Open(ctx, sqlite.Options{Path: f.file})
		},
		Now: time.Now, Notes: f.book(),
	})
	use(opened.For(live.Caller{Tenant: "a", Actor: "ann"}))
	f.must(opened.Close())
}

func (f *fixture) must(err error) {
	f.Helper()
	if err != nil {
		f.Fatal(err)
	}
}

// work() changes guidelines and appends decisions.
func (f *fixture) work(round string) {
	f.Helper()
	f.withStore(func(s *live.TenantStore) {
		g, err := s.Create(f.Context(), small(round))
		f.must(err)
		g.Name = "Another name"
		_, err = s.Update(f.Context(), g)
		f.must(err)
		for i := range 5 {
			_, err := s.Append(f.Context(), store.Entry{
				ID: fmt.Sprint(round, i), Kind: store.KindDecision, Event: "decision", Actor: "backend", Session: "s", Guideline: round,
				Decision: &store.Decision{Result: "deny", Reason: "no"},
			})
			f.must(err)
		}
	})
}

func small(id string) guideline.Guideline {
	return guideline.Guideline{
		ID: id, Name: id, Category: guideline.Custom, Action: guideline.Action{Type: guideline.Instruction},
	}
}

// faults() verifies the audit, and returns what is wrong.
func (f *fixture) faults() (out []string) {
	f.Helper()
	f.withStore(func(s *live.TenantStore) {
		verdicts, err := s.Verify(f.Context(), live.Verifying{})
		f.must(err)
		for _, v := range verdicts.Verdicts {
			if v.Fault != nil {
				out = append(out, string(v.Fault.Damage)+": "+v.Fault.Why)
			}
		}
	})
	return out
}

// raw() changes the database file without using a store, as another program would do.
func (f *fixture) raw(change func(db *sql.DB)) {
	f.Helper()
	db, err := sql.Open("sqlite", f.file)
	f.must(err)
	change(db)
	f.must(db.Close())
}

func (f *fixture) exec(statements string) {
	f.Helper()
	f.raw(func(db *sql.DB) {
		_, err := db.Exec("PRAGMA foreign_keys = 0; " + statements)
		f.must(err)
	})
}

// copyTo copies the database to another file.
func (f *fixture) copyTo(to string) {
	f.Helper()
	f.exec("PRAGMA wal_checkpoint(TRUNCATE)")
	text, err := os.ReadFile(f.file)
	f.must(err)
	f.must(os.WriteFile(to, text, 0o600))
}

// reseal() changes one entry of a chain and all later ones, and seals them again, so that all hashes of the chain
// match.
func (f *fixture) reseal(kind store.Kind, from int64, alter func(e *store.Entry)) {
	f.Helper()
	f.resealPart(kind, from, math.MaxInt64, alter)
}

// resealPart does the same as reseal(), but does not change the entries after a given entry. The parameter "last" is
// the number of the given entry.
func (f *fixture) resealPart(kind store.Kind, from, last int64, alter func(e *store.Entry)) {
	f.Helper()
	f.raw(func(db *sql.DB) {
		var entries []store.Entry
		rows, err := db.Query("SELECT e.body, e.hash FROM entry e JOIN chain c ON c.id = e.chain WHERE c.kind = ? ORDER BY e.seq", string(kind))
		f.must(err)
		for rows.Next() {
			var body, hash string
			f.must(rows.Scan(&body, &hash))
			e, err := store.DecodeEntry([]byte(body))
			f.must(err)
			e.Hash = hash
			entries = append(entries, e)
		}
		f.must(rows.Err())
		head := store.Head{Chain: entries[0].Chain()}
		for i := range entries {
			e := &entries[i]
			if e.Seq < from || e.Seq > last {
				head.Seq, head.Hash = e.Seq, e.Hash
				continue
			}
			alter(e)
			var text []byte
			head, text, err = head.Seal(e)
			f.must(err)
			_, err = db.Exec("UPDATE entry SET body = ?, hash = ? WHERE id = ?", string(text), e.Hash, e.ID)
			f.must(err)
		}
		_, err = db.Exec("UPDATE chain SET hash = ? WHERE kind = ?", head.Hash, string(kind))
		f.must(err)
	})
}

// text() returns the text that a query selects. The query must select only one text.
func (f *fixture) text(query string) (out string) {
	f.Helper()
	f.raw(func(db *sql.DB) { f.must(db.QueryRow(query).Scan(&out)) })
	return out
}

// recount is SQL that corrects the stored counts of entries.
const recount = `; DELETE FROM tally;
	INSERT INTO tally SELECT tenant, 0, 0, 0, time - time % 86400000, event, count(*) FROM entry GROUP BY 1, 3, 4, 5, 6;
	INSERT INTO tally SELECT tenant, 0, 0, 1, time - time % 60000, event, count(*) FROM entry GROUP BY 1, 3, 4, 5, 6;
	INSERT INTO tally SELECT tenant, 1, guideline, 0, time - time % 86400000, event, count(*) FROM entry WHERE guideline > 0 GROUP BY 1, 3, 5, 6;
	INSERT INTO tally SELECT tenant, 1, guideline, 1, time - time % 60000, event, count(*) FROM entry WHERE guideline > 0 GROUP BY 1, 3, 5, 6;
	INSERT INTO tally SELECT tenant, 2, session, 0, time - time % 86400000, event, count(*) FROM entry WHERE session > 0 GROUP BY 1, 3, 5, 6;
	INSERT INTO tally SELECT tenant, 2, session, 1, time - time % 60000, event, count(*) FROM entry WHERE session > 0 GROUP BY 1, 3, 5, 6;
	INSERT INTO tally SELECT tenant, 3, actor, 0, time - time % 86400000, event, count(*) FROM entry WHERE actor > 0 GROUP BY 1, 3, 5, 6;
	INSERT INTO tally SELECT tenant, 3, actor, 1, time - time % 60000, event, count(*) FROM entry WHERE actor > 0 GROUP BY 1, 3, 5, 6`
