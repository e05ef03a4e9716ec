package sqlite_test

import (
	"slices"
	"strings"
	"testing"

	"guardrails/store"
)

// Before each case, the guideline "one" is created, renamed and disabled, and the guideline "two" is created and
// deleted. Then another program runs the statements of the test case on the file.
func TestGuidelinesThatDifferFromTheAuditAreFound(t *testing.T) {
	const copied = `INSERT INTO revision (tenant, id, version, event, deleted, actor, at, write_id, body)
		SELECT tenant, 'three', version, event, deleted, actor, at, write_id, replace(body, '"id":"one"', '"id":"three"') FROM revision WHERE id = 'one' AND version = 1;`
	for name, c := range map[string]struct{ sql, want string }{
		"nothing": {``, ""},
		"an altered guideline": {
			`UPDATE revision SET body = replace(body, 'Careful', 'Careless') WHERE version = 3`,
			"version 3 of the guideline one was altered",
		},
		"an altered old version": {
			`UPDATE revision SET body = replace(body, '"priority":0', '"priority":1') WHERE id = 'one' AND version = 1`,
			"version 1 of the guideline one was altered",
		},
		"an altered actor": {
			`UPDATE revision SET actor = 'bob' WHERE id = 'two' AND version = 1`,
			"version 1 of the guideline two was altered",
		},
		"a guideline without an entry": {copied, "no audit entry explains version 1 of the guideline three"},
		"a removed version": {
			`DELETE FROM revision WHERE id = 'one' AND version = 1`,
			"version 1 of the guideline one is missing",
		},
		"a hidden guideline": {`DELETE FROM guideline`, "the store does not list the guideline one, whose newest version is 3"},
		"an old version is listed": {
			`UPDATE guideline SET revision = (SELECT row FROM revision WHERE id = 'one' AND version = 2)`,
			"the store lists version 2 of the guideline one, but its newest version is 3",
		},
		"another guideline is listed": {
			`UPDATE guideline SET revision = (SELECT row FROM revision WHERE id = 'two' AND version = 1)`,
			"the store lists an unknown version of the guideline one, but its newest version is 3",
		},
		"listed as enabled": {
			`UPDATE guideline SET enabled = NOT enabled`,
			"the index of guideline one differs from its text, so guardrails list may show it incorrectly",
		},
		"listed last":            {`UPDATE guideline SET priority = 7`, "the index of guideline one differs from its text, so guardrails list may show it incorrectly"},
		"not found by its agent": {`DELETE FROM label`, "the index of guideline one differs from its text, so guardrails list may show it incorrectly"},
		"found by another agent": {
			`INSERT INTO label SELECT tenant, 1, 'devops', row FROM guideline`,
			"the index of guideline one differs from its text, so guardrails list may show it incorrectly",
		},
		"not found by its words": {`UPDATE guideline SET search = ''`, "the index of guideline one differs from its text, so guardrails list may show it incorrectly"},
		"a deleted one is listed": {
			`INSERT INTO guideline (tenant, id, revision, priority, category, enabled, updated, name, search)
				SELECT tenant, id, row, 1, 'custom', 1, 1, 'two', 'two' FROM revision WHERE id = 'two' AND version = 1`,
			"the guideline two was deleted, but the store still lists version 1",
		},
		"swapped versions": {
			`UPDATE revision SET version = 9 WHERE id = 'one' AND version = 2; UPDATE revision SET version = 2 WHERE id = 'one' AND version = 3;
				UPDATE revision SET version = 3 WHERE id = 'one' AND version = 9`, "cannot be read: its id, project or version differs from the index",
		},
		"a body that is not a guideline": {
			`UPDATE revision SET body = '{}' WHERE id = 'one' AND version = 1`,
			"version 1 of the guideline one cannot be read",
		},
	} {
		t.Run(name, func(t *testing.T) {
			path := newPath(t)
			editTwo(t, path)
			raw(t, path, "PRAGMA foreign_keys = 0; "+c.sql)
			s := open(t, path)
			defer s.Close()
			verdicts, err := s.Verify(t.Context(), "a", nil)
			if err != nil {
				t.Fatal(err)
			}
			found := slices.ContainsFunc(
				verdicts, func(v store.Verdict) bool { return v.Fault != nil && strings.Contains(v.Fault.Why, c.want) },
			)
			clean := !slices.ContainsFunc(verdicts, func(v store.Verdict) bool { return v.Fault != nil })
			if c.want == "" && !clean || c.want != "" && !found {
				t.Errorf("got %+v, want %q", verdicts, c.want)
			}
		})
	}
}

func editTwo(t *testing.T, path string) {
	t.Helper()
	s := open(t, path)
	defer s.Close()
	first := small("one")
	first.Condition.Agents = []string{"backend"}
	one, err := s.Create(t.Context(), newWrite(), first)
	if err != nil {
		t.Fatal(err)
	}
	one.Name = "Careful"
	_, updated := s.Update(t.Context(), newWrite(), one)
	_, toggled := s.Toggle(t.Context(), newWrite(), store.Ref{Key: "one", Version: 2})
	_, created := s.Create(t.Context(), newWrite(), small("two"))
	deleted := s.Delete(t.Context(), newWrite(), store.Ref{Key: "two", Version: 1})
	if err := join(updated, toggled, created, deleted); err != nil {
		t.Fatal(err)
	}
}
