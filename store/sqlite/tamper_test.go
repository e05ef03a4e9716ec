package sqlite_test

import (
	"fmt"
	"strings"
	"testing"

	"guardrails/store"
	"guardrails/store/sqlite"
)

// The chain of decisions has the entries d1 to d10. Then another program runs the statements of the test case on the
// file.
func TestVerifyFindsTheDamagedEntry(t *testing.T) {
	const swap = `UPDATE entry SET row = 100 WHERE id = 'd4';
		UPDATE entry SET row = (SELECT row FROM entry WHERE id = 'd5') - 1 WHERE id = 'd5';
		UPDATE entry SET row = (SELECT row FROM entry WHERE id = 'd5') + 1 WHERE row = 100`
	for name, c := range map[string]struct {
		sql   string
		fault store.Fault
		noted bool
	}{
		"an altered reason": {
			`UPDATE entry SET body = replace(body, 'allow', 'deny') WHERE id = 'd4'`,
			store.Fault{Seq: 4, Damage: store.Altered},
			false,
		},
		"an altered time in the index": {
			`UPDATE entry SET time = time + 1 WHERE id = 'd4'`,
			store.Fault{Seq: 4, Damage: store.Altered},
			false,
		},
		"an entry hidden from its actor": {
			`UPDATE entry SET actor = 0 WHERE id = 'd4'`,
			store.Fault{Seq: 4, Damage: store.Altered},
			false,
		},
		"an entry of an unknown guideline": {
			`UPDATE entry SET guideline = 999 WHERE id = 'd4'`,
			store.Fault{Seq: 4, Damage: store.Altered},
			false,
		},
		"an entry hidden from its result": {
			`UPDATE entry SET result = 0 WHERE id = 'd4'`,
			store.Fault{Seq: 4, Damage: store.Altered},
			false,
		},
		"an entry in another project": {
			`UPDATE entry SET project = (SELECT id FROM name WHERE text = 'ann') WHERE id = 'd4'`,
			store.Fault{Seq: 4, Damage: store.Altered},
			false,
		},
		"an entry of an unknown agent": {
			`UPDATE entry SET agent = 999 WHERE id = 'd4'`,
			store.Fault{Seq: 4, Damage: store.Altered},
			false,
		},
		"an entry with a mode that it does not have": {
			`UPDATE entry SET mode = (SELECT id FROM name WHERE text = 'ann') WHERE id = 'd4'`,
			store.Fault{Seq: 4, Damage: store.Altered},
			false,
		},
		"a renamed result": {
			`UPDATE name SET text = 'deny' WHERE text = 'allow'`,
			store.Fault{Seq: 1, Damage: store.Altered},
			false,
		},
		"a renamed guideline": {
			`UPDATE name SET text = 'two' WHERE text = 'one'`,
			store.Fault{Seq: 1, Damage: store.Altered},
			false,
		},
		"a beginning removed as if it was pruned": {
			`UPDATE chain SET base = 3, base_hash = (SELECT hash FROM entry WHERE seq = 3); DELETE FROM entry WHERE seq <= 3`,
			store.Fault{Seq: 1, Damage: store.Removed},
			false,
		},
		"another hash": {
			`UPDATE entry SET hash = hex(randomblob(32)) WHERE id = 'd4'`,
			store.Fault{Seq: 4, Damage: store.Altered},
			false,
		},
		"a body that is not JSON": {
			`UPDATE entry SET body = 'x' WHERE id = 'd4'`,
			store.Fault{Seq: 4, Damage: store.Altered},
			false,
		},
		"a removed entry": {
			`DELETE FROM entry WHERE id = 'd4'`,
			store.Fault{Seq: 4, Damage: store.Removed},
			false,
		},
		"a removed beginning": {
			`DELETE FROM entry WHERE id IN ('d1', 'd2')`,
			store.Fault{Seq: 1, Damage: store.Removed},
			false,
		},
		"two entries in the wrong order": {swap, store.Fault{Seq: 4, Damage: store.Reordered}, false},
		"a removed end": {
			`DELETE FROM entry WHERE seq > 7`,
			store.Fault{Seq: 8, Damage: store.Truncated},
			false,
		},
		"a removed head": {
			`PRAGMA foreign_keys = 0; DELETE FROM chain`,
			store.Fault{Seq: 0, Damage: store.Altered},
			false,
		},
		"a removed end with the head set back": {
			`DELETE FROM entry WHERE seq > 7; UPDATE chain SET seq = 7, hash = (SELECT hash FROM entry WHERE seq = 7)`,
			store.Fault{Seq: 8, Damage: store.Truncated},
			true,
		},
		"everything removed, with the head": {
			`DELETE FROM entry; DELETE FROM chain`,
			store.Fault{Seq: 1, Damage: store.Truncated},
			true,
		},
	} {
		t.Run(name, func(t *testing.T) {
			path := newPath(t)
			noted := tenDecisions(t, path)
			raw(t, path, c.sql)
			s := open(t, path)
			defer s.Close()
			if !c.noted {
				noted = nil
			}
			verdicts, err := s.Verify(t.Context(), "a", nil, noted...)
			if err != nil {
				t.Fatal(err)
			}
			if len(verdicts) != 1 || verdicts[0].Fault == nil {
				t.Fatalf("got %+v, want %+v", verdicts, c.fault)
			}
			if f := verdicts[0].Fault; f.Seq != c.fault.Seq || f.Damage != c.fault.Damage {
				t.Errorf("got %+v, want %+v", f, c.fault)
			}
		})
	}
}

// In these cases the entries and their hashes are undamaged, but another program altered the counts that are used to
// find pages.
func TestWrongCountsOfEntriesAreFound(t *testing.T) {
	for name, sql := range map[string]string{
		"no entry is counted":                      `UPDATE tally SET entries = 0`,
		"entries are not counted for their actor":  `DELETE FROM tally WHERE field = 3 AND span = 1`,
		"entries are not counted for their result": `DELETE FROM tally WHERE field = 4`,
		"entries are counted for another project":  `INSERT INTO tally SELECT tenant, 5, 1, span, start, event, entries FROM tally WHERE field = 0`,
		"entries are counted for another agent":    `INSERT INTO tally SELECT tenant, 6, 1, span, start, event, entries FROM tally WHERE field = 0`,
		"entries are counted for another mode":     `INSERT INTO tally SELECT tenant, 7, 1, span, start, event, entries FROM tally WHERE field = 0`,
		"entries are counted twice on their day":   `UPDATE tally SET entries = 2 * entries WHERE field = 0 AND span = 0`,
		"entries are counted at another time":      `UPDATE tally SET start = start + 60000 WHERE field = 0 AND span = 1`,
		"entries are counted as other events":      `UPDATE tally SET event = event + 1`,
		"entries are counted that do not exist":    `INSERT INTO tally SELECT tenant, field, value + 9, span, start, event, entries FROM tally WHERE field = 2`,
	} {
		t.Run(name, func(t *testing.T) {
			path := newPath(t)
			tenDecisions(t, path)
			raw(t, path, sql)
			s := open(t, path)
			defer s.Close()
			verdicts, err := s.Verify(t.Context(), "a", nil)
			if err != nil {
				t.Fatal(err)
			}
			last := verdicts[len(verdicts)-1]
			if last.Fault == nil || !strings.Contains(last.Fault.Why, "counts of entries are wrong") {
				t.Errorf("got %+v", verdicts)
			}
		})
	}
}

func tenDecisions(t *testing.T, path string) []store.Head {
	t.Helper()
	s := open(t, path)
	defer s.Close()
	appendSome(t, s, 10)
	heads, err := s.Heads(t.Context(), "a")
	if err != nil {
		t.Fatal(err)
	}
	return heads
}

func appendSome(t *testing.T, s *sqlite.Store, count int) {
	t.Helper()
	for i := range count {
		if _, err := s.Append(t.Context(), "a", entry(fmt.Sprint("d", i+1))); err != nil {
			t.Fatal(err)
		}
	}
}
