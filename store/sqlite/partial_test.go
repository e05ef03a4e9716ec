package sqlite_test

import (
	"slices"
	"strings"
	"testing"

	"guardrails/store"
)

// The chain has the decisions d1 to d20. An earlier verification found d1 to d15 intact, and the next verification
// reads d5 to d7 and d15 to d20. Between the two verifications, another program runs the statements of the test case on
// the file.
func TestAVerificationThatContinuesFindsWhatWasAltered(t *testing.T) {
	for name, c := range map[string]struct{ sql, want string }{
		"nothing":                       {``, ""},
		"a decision that is not read":   {`UPDATE entry SET body = replace(body, 'allow', 'deny') WHERE id = 'd10'`, ""},
		"a new decision":                {`UPDATE entry SET body = replace(body, 'allow', 'deny') WHERE id = 'd17'`, "does not match its content"},
		"a decision that is read again": {`UPDATE entry SET body = replace(body, 'allow', 'deny') WHERE id = 'd6'`, "does not match its content"},
		"a column of a new decision":    {`UPDATE entry SET actor = 0 WHERE id = 'd18'`, "its actor in the index differs"},
		"an old decision, removed":      {`DELETE FROM entry WHERE id = 'd10'`, "must have 20 entries, but the store has 19"},
		"the first decision, removed":   {`DELETE FROM entry WHERE id = 'd1'`, "must have 20 entries, but the store has 19"},
		"an old decision, of another tenant": {
			`UPDATE entry SET tenant = 99 WHERE id = 'd10'`, "the tenant has 19 entries, but its chains have 20",
		},
		"an old decision, of another chain": {
			`UPDATE entry SET chain = 99 WHERE id = 'd10'`, "must have 20 entries, but the store has 19",
		},
		"the newest known decision, removed": {`DELETE FROM entry WHERE id = 'd15'`, "entry 16 follows entry 14"},
		"the end, removed":                   {`DELETE FROM entry WHERE seq > 17`, "but the chain ends at entry 17"},
		"the new end, removed with its head": {
			`DELETE FROM entry WHERE seq > 12; UPDATE chain SET seq = 12, hash = (SELECT hash FROM entry WHERE seq = 12)`,
			"but earlier it reached entry 15",
		},
		"all decisions, removed with their head": {
			`DELETE FROM entry; DELETE FROM chain`, "but earlier it reached entry 15",
		},
		"a beginning removed as if it was pruned": {
			`UPDATE chain SET base = 3, base_hash = (SELECT hash FROM entry WHERE seq = 3); DELETE FROM entry WHERE seq <= 3`,
			"no audit entry says that it was pruned",
		},
		"two new decisions in the wrong order": {
			`UPDATE entry SET row = 100 WHERE id = 'd17'; UPDATE entry SET row = 17 WHERE id = 'd18';
				UPDATE entry SET row = 18 WHERE id = 'd17'`, "before an entry with a lower number",
		},
		"a wrong count of the day": {`UPDATE tally SET entries = entries + 1 WHERE field = 0 AND span = 0`, "counts of entries are wrong"},
		"a missing count":          {`DELETE FROM tally WHERE field = 3`, "counts of entries are wrong"},
		"a trigger": {
			`CREATE TRIGGER t AFTER INSERT ON entry BEGIN SELECT 1; END`, "created or changed the trigger t",
		},
	} {
		t.Run(name, func(t *testing.T) {
			path := newPath(t)
			s := open(t, path)
			appendSome(t, s, 20)
			var known store.Known
			for e, err := range s.Export(t.Context(), "a", store.AuditFilter{}) {
				if err != nil {
					t.Fatal(err)
				}
				if e.Seq == 15 {
					known = store.Known{{Chain: e.Chain(), Seq: 15, Hash: e.Hash, Again: store.Span{First: 6, Last: 7}}}
				}
			}
			if err := s.Close(); err != nil {
				t.Fatal(err)
			}
			raw(t, path, "PRAGMA foreign_keys = 0; "+c.sql)
			s = open(t, path)
			defer s.Close()
			verdicts, err := s.Verify(t.Context(), "a", known)
			if err != nil {
				t.Fatal(err)
			}
			found := slices.ContainsFunc(verdicts, func(v store.Verdict) bool {
				return v.Fault != nil && strings.Contains(v.Fault.Why, c.want)
			})
			if clean := !slices.ContainsFunc(verdicts, isDamaged); c.want == "" && !clean || c.want != "" && !found {
				t.Errorf("got %+v, want %q", verdicts, c.want)
			}
		})
	}
}

// Counting the entries in each slice of a long verification would take too long, so only the last slice counts them.
func TestTheLastSliceOfAVerificationCountsTheEntries(t *testing.T) {
	path := newPath(t)
	s := open(t, path)
	appendSome(t, s, 20)
	heads, err := s.Heads(t.Context(), "a")
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	raw(t, path, "DELETE FROM entry WHERE id = 'd10'")
	s = open(t, path)
	defer s.Close()
	for _, more := range []bool{true, false} {
		var known store.Known
		for _, h := range heads {
			known = append(known, store.Verified{Chain: h.Chain, Seq: h.Seq, Hash: h.Hash, More: more})
		}
		verdicts, err := s.Verify(t.Context(), "a", known)
		if err != nil {
			t.Fatal(err)
		}
		if found := slices.ContainsFunc(verdicts, isDamaged); found == more {
			t.Errorf("more slices: %t, found: %t", more, found)
		}
	}
}

func isDamaged(v store.Verdict) bool { return v.Fault != nil }
