package server_test

import (
	"database/sql"
	"net/http"
	"path/filepath"
	"strings"
	"testing"
)

func TestTheServerNotesHeadsAndVerifiesAgainstThem(t *testing.T) {
	s, red, blue := twoTenants(t)
	if code, body := red.rest(http.MethodPut, "/api/guardrails/reds", `{"version":1,"priority":900}`); code != http.StatusOK {
		t.Fatal(body)
	}
	if _, body := red.rest(http.MethodGet, "/api/guardrails/audit/heads", ""); !strings.Contains(body, `"kind":"change","seq":2`) {
		t.Errorf("%s", body)
	}
	if _, body := blue.rest(http.MethodGet, "/api/guardrails/audit/heads", ""); !strings.Contains(body, `"heads":[]`) {
		t.Errorf("blue sees %s", body)
	}
	if _, body := red.rest(http.MethodGet, "/api/guardrails/audit/verify", ""); !strings.HasPrefix(body, `{"intact":true`) {
		t.Errorf("%s", body)
	}
	s.cutLastChange()
	if _, body := red.rest(http.MethodGet, "/api/guardrails/audit/verify", ""); !strings.Contains(body, "but earlier it reached entry 2") {
		t.Errorf("%s", body)
	}
}

// cutLastChange removes the last change from the database, with its audit entry and its version of the guideline.
func (s *fixture) cutLastChange() { s.cutLastChangeOf("red") }

func (s *fixture) cutLastChangeOf(tenant string) {
	s.t.Helper()
	db, err := sql.Open("sqlite", filepath.Join(s.vars["XDG_DATA_HOME"], "guardrails", "guardrails.db"))
	check(s.t, err)
	const of = "tenant = (SELECT id FROM name WHERE text = ?)"
	for _, change := range []string{
		"DELETE FROM entry WHERE seq = 2 AND " + of, "DELETE FROM tally WHERE " + of,
		"DELETE FROM revision WHERE version = 2 AND " + of,
		"UPDATE chain SET seq = 1, hash = (SELECT hash FROM entry WHERE seq = 1 AND entry.tenant = chain.tenant) WHERE " + of,
	} {
		_, err = db.Exec(change, tenant)
		check(s.t, err)
	}
	check(s.t, db.Close())
}
