package store_test

import (
	"database/sql"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"guardrails/cli/app"
	"guardrails/cli/clitest"
	"guardrails/store"
)

// cutTail removes all decisions except the first one, and makes the first one the newest entry (head) of the chain. An
// attacker with access to the database can do the same.
func cutTail(t *testing.T, s *clitest.Session) {
	t.Helper()
	db, err := sql.Open("sqlite", filepath.Join(s.Root, "home/.local/share/guardrails/guardrails.db"))
	if err == nil {
		_, err = db.Exec(`DELETE FROM entry WHERE seq > 1 AND chain = (SELECT id FROM chain WHERE kind = 'decision');
			UPDATE chain SET seq = 1, hash = (SELECT hash FROM entry e WHERE e.chain = chain.id AND e.seq = 1) WHERE kind = 'decision'`)
	}
	if err = errors.Join(err, db.Close()); err != nil {
		t.Fatal(err)
	}
}

func TestVerifyNoticesACutTailWithoutAFileOfHeads(t *testing.T) {
	s := storeSession(t)
	allow := store.Decision{Result: "allow", Tool: "Read"}
	addDecisions(t, s, january(), allow, allow, allow)
	if got := s.Must("guardrails audit verify"); !strings.Contains(got, "noted head") {
		t.Errorf("%s", got)
	}
	cutTail(t, s)
	stdout, _, code := s.Run("guardrails audit verify")
	if code != app.Refused || !strings.Contains(stdout, "but earlier it reached entry 3") {
		t.Errorf("exit %d: %s", code, stdout)
	}
}

func TestHeadsThatWereKeptElsewhereAreCompared(t *testing.T) {
	s := storeSession(t)
	allow := store.Decision{Result: "allow", Tool: "Read"}
	addDecisions(t, s, january(), allow, allow, allow)
	s.Write("heads.json", s.Must("guardrails audit heads -o json"))
	removeNotes(t, s)
	if got := s.Must("guardrails audit verify --heads heads.json"); !strings.Contains(got, "intact: ") {
		t.Errorf("%s", got)
	}
	removeNotes(t, s)
	cutTail(t, s)
	if _, _, code := s.Run("guardrails audit verify --heads heads.json"); code != app.Refused {
		t.Errorf("exit %d", code)
	}
}

func TestKeysAreMadeShownAndRotated(t *testing.T) {
	s := storeSession(t)
	first := strings.Fields(s.Must("guardrails audit key"))
	if again := s.Must("guardrails audit key"); !strings.HasPrefix(again, first[0]+"  "+first[1]) || !strings.HasSuffix(again, "signs\n") {
		t.Errorf("%s", again)
	}
	both := s.Must("guardrails audit key --rotate")
	if strings.Count(both, "\n") != 2 || !strings.HasPrefix(both, first[0]) || !strings.Contains(both, "replaced ") {
		t.Errorf("%s", both)
	}
	if got := s.Must("guardrails audit heads"); !strings.Contains(got, "signed with the key "+strings.Fields(strings.Split(both, "\n")[1])[0]) {
		t.Errorf("%s", got)
	}
	if got := s.Must("guardrails audit verify"); !strings.HasPrefix(got, "intact: ") {
		t.Errorf("%s", got)
	}
}

func removeNotes(t *testing.T, s *clitest.Session) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(s.Root, "home/.local/state/guardrails/audit/heads-*"))
	if err != nil || len(files) == 0 {
		t.Fatalf("%v %v", files, err)
	}
	for _, file := range files {
		if err := os.Remove(file); err != nil {
			t.Fatal(err)
		}
	}
}
