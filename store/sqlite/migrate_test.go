package sqlite_test

import (
	"database/sql"
	"fmt"
	"strings"
	"testing"

	"guardrails/guideline"
	"guardrails/store"
	"guardrails/store/sqlite"
)

// toSchema2 has the statements that give a file the schema of earlier programs, which had no filters by agent and mode.
func toSchema2() []string {
	return []string{
		"DROP INDEX entry_time",
		"ALTER TABLE entry DROP COLUMN result", "ALTER TABLE entry DROP COLUMN project",
		"ALTER TABLE entry DROP COLUMN agent", "ALTER TABLE entry DROP COLUMN mode",
		"DELETE FROM tally WHERE field > 3",
		"CREATE INDEX entry_time ON entry (tenant, time)",
		"ALTER TABLE identity RENAME COLUMN name TO writer",
		"PRAGMA user_version = 2",
	}
}

// In a migrated file, each filter finds the same entries as in a file that always had the newest schema. The test is
// needed because the migration decodes the texts with SQLite, but the program decodes them with Go.
func TestAFileOfSchema2GetsTheNewColumns(t *testing.T) {
	path := newPath(t)
	s := open(t, path)
	entries := oddEntries()
	if _, err := s.Append(t.Context(), "a", entries...); err != nil {
		t.Fatal(err)
	}
	addOne(t, s)
	before := counts(t, s)
	s.Close()
	raw(t, path, toSchema2()...)
	refuse(t, sqlite.Options{Path: path, ReadOnly: true}, store.ReadOnly, "open it once for writing")

	s = open(t, path)
	defer s.Close()
	if after := counts(t, s); fmt.Sprint(after) != fmt.Sprint(before) {
		t.Errorf("got  %v\nwant %v", after, before)
	}
	if before["agent backend"] != 3 || before["mode observe"] != 2 || before["project shop"] != 3 {
		t.Errorf("got %v", before)
	}
	verdicts, err := s.Verify(t.Context(), "a", nil)
	for _, v := range verdicts {
		if v.Fault != nil {
			t.Errorf("%+v", *v.Fault)
		}
	}
	if err != nil {
		t.Error(err)
	}
	addOneMore(t, s)
}

// A file with a damaged entry can be migrated. Afterwards, verification reports the damaged entry.
func TestAFileWithADamagedEntryIsMigrated(t *testing.T) {
	path := newPath(t)
	tenDecisions(t, path)
	raw(t, path, append(toSchema2(), `UPDATE entry SET body = '{' WHERE id = 'd4'`)...)
	s := open(t, path)
	defer s.Close()
	page, err := s.Query(t.Context(), "a", store.AuditQuery{AuditFilter: store.AuditFilter{Result: "allow"}})
	if err != nil || page.Total != 9 {
		t.Errorf("%d entries, %v", page.Total, err)
	}
	verdicts, err := s.Verify(t.Context(), "a", nil)
	if err != nil || len(verdicts) != 1 || verdicts[0].Fault == nil || verdicts[0].Fault.Seq != 4 {
		t.Errorf("got %+v, %v", verdicts, err)
	}
}

// A program of an earlier version that has the file open does not know the new columns. Before such a program adds an
// entry, it looks for the chain with the statement in this test. The statement must fail.
func TestAProgramThatDoesNotKnowTheNewColumnsCannotAddEntries(t *testing.T) {
	path := newPath(t)
	s := open(t, path)
	defer s.Close()
	addOne(t, s)
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	_, err = db.Exec("SELECT c.id FROM chain c JOIN identity i ON i.writer = c.writer")
	if err == nil || !strings.Contains(err.Error(), "no such column") {
		t.Errorf("got %v", err)
	}
}

// oddEntries returns entries with texts that are hard to read in JSON.
func oddEntries() (out []store.Entry) {
	agents := []string{
		"backend", "backend", `a"b\c`, "<é\u2028>", "a\x00b", `a\u0000b`, "a\xffb", "a\ufffdb", "tab\there",
		strings.Repeat("é", store.MaxName), "",
	}
	details := []any{
		map[string]any{"mode": "observe"},
		map[string]any{"mode": "observe", "flags": []any{"mode"}},
		"observe",
		map[string]any{"mode": 3},
		map[string]any{"mode": "other"},
		[]any{"mode"},
		map[string]string{"mode": "enforce"},
		nil,
		map[string]any{"mode": map[string]any{"mode": "off"}},
	}
	for i, agent := range agents {
		e := entry(fmt.Sprint("odd", i))
		e.Event = []string{"tool_call", "gate"}[i%2]
		e.ProjectID = []string{"", "shop", "", "<shop>"}[i%4]
		e.Decision.Result = []string{"allow", "deny\x00", agent}[i%3]
		e.Context = &guideline.Context{Agent: agent, Metadata: map[string]any{}}
		if i < len(details) {
			e.Context.Metadata["details"] = details[i]
		}
		out = append(out, e)
	}
	last := entry("plain")
	last.Context = &guideline.Context{Agent: "backend"}
	return append(out, last)
}

// counts() returns how many entries each filter finds.
func counts(t *testing.T, s *sqlite.Store) map[string]int {
	t.Helper()
	out := map[string]int{}
	for _, e := range append(oddEntries(), entry("none")) {
		for what, f := range map[string]store.AuditFilter{
			"agent " + e.Agent():            {Agent: e.Agent()},
			"mode " + e.Mode():              {Mode: e.Mode()},
			"result " + e.Decision.Result:   {Result: e.Decision.Result},
			"project " + e.ProjectID:        {Project: e.ProjectID},
			"agent and event " + e.Agent():  {Agent: e.Agent(), Event: "gate"},
			"agent and result " + e.Agent(): {Agent: e.Agent(), Result: "allow"},
		} {
			page, err := s.Query(t.Context(), "a", store.AuditQuery{AuditFilter: f})
			if err != nil || len(page.Items) != min(page.Total, store.DefaultPageSize) {
				t.Fatalf("%s: %d of %d, %v", what, len(page.Items), page.Total, err)
			}
			out[what] = page.Total
		}
	}
	return out
}

func addOneMore(t *testing.T, s *sqlite.Store) {
	t.Helper()
	if _, err := s.Append(t.Context(), "a", entry("more")); err != nil {
		t.Error(err)
	}
}
