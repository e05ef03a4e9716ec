package proof

import (
	"database/sql"
	"fmt"
	"net/http"
	"os"
	"strings"
	"testing"

	driver "modernc.org/sqlite"

	"guardrails/config"
)

// The type "losing" is a machine whose store loses something while its server runs.
type losing struct {
	*machine
	t    *testing.T
	load *load
	// The field "file" is the path of the database. The field "older" is the path of a copy that lacks the last changes.
	file, older string
	sessions    int
}

func newLosing(t *testing.T, bin string, c *config.Store) *losing {
	t.Helper()
	l := &losing{machine: newMachine(t, bin, settings(c)), t: t, load: &load{ledger: &ledger{sets: sets{}}}, file: c.Path}
	l.older = l.file + ".older"
	l.add("locked")
	waitUntil(t, "the server applies the guideline", func() bool {
		return l.call(t.Context(), new(ledger), question, map[string]any{"definitions": true}).containsID("locked")
	})
	return l
}

func (l *losing) add(id string) {
	l.t.Helper()
	waitUntil(l.t, "the guideline is there", func() bool {
		a := l.create(id)
		return a.status == http.StatusCreated || a.status == http.StatusConflict
	})
}

func (l *losing) create(id string) reply {
	return l.request(l.t.Context(), http.MethodPost, "/api/guardrails", "", map[string]any{
		"id": id, "name": id, "category": "security",
		"action": map[string]any{"type": "tool_restriction", "tools_denied": []string{"Write(locked/*)"}},
	})
}

// denies() reports whether the hook of a new session refuses a call that the guidelines forbid.
func (l *losing) denies() bool {
	l.sessions++
	session := fmt.Sprint("loss-", l.sessions)
	l.load.hook(l.machine, "guardrails-inject", true, map[string]any{
		"hook_event_name": "UserPromptSubmit", "session_id": session, "prompt": "go on",
	})
	return l.load.decideCall(l.machine, session, 1) && len(l.load.problems) == 0
}

// run() runs a guardrails command, as a person would do in a terminal, and returns the output.
func (l *losing) run(args ...string) string {
	c := l.command("guardrails", args...)
	c.Env = append(c.Env, "TMPDIR="+l.dir) // the command init refuses programs that are in the temporary folder
	out, _ := c.CombinedOutput()           // the command doctor ends with an error while something is broken
	return string(out)
}

// exec() executes statements in the database without using a store, as another program would do.
func (l *losing) exec(statement string) {
	l.t.Helper()
	db, err := sql.Open("sqlite", l.file)
	must(l.t, err)
	_, err = db.Exec(statement)
	must(l.t, err)
	must(l.t, db.Close())
}

// copyOlder makes the older copy.
func (l *losing) copyOlder() {
	l.t.Helper()
	l.exec("VACUUM INTO '" + l.older + "'")
	must(l.t, os.Chmod(l.older, 0o600))
	l.add("newer")
	l.denies()
}

func (l *losing) removeFile() {
	l.t.Helper()
	for _, end := range []string{"", "-wal", "-shm"} {
		if err := os.Remove(l.file + end); err != nil && !os.IsNotExist(err) {
			l.t.Fatal(err)
		}
	}
}

// restoreOnline restores the older copy into the database file while the server has the file open.
func (l *losing) restoreOnline() {
	l.t.Helper()
	db, err := sql.Open("sqlite", l.file)
	must(l.t, err)
	defer db.Close()
	conn, err := db.Conn(l.t.Context())
	must(l.t, err)
	must(l.t, conn.Raw(func(c any) error {
		backup, err := c.(interface {
			NewRestore(source string) (*driver.Backup, error)
		}).NewRestore(l.older)
		if err != nil {
			return err
		}
		_, err = backup.Step(-1)
		if finished := backup.Finish(); err == nil {
			err = finished
		}
		return err
	}))
	must(l.t, conn.Close())
}

// checkLoss checks what must be true after a running server has lost data. The hook still refuses a forbidden call. The
// server and the command doctor report the fault. The server refuses changes.
func (l *losing) checkLoss(fault string) {
	l.t.Helper()
	if !l.denies() {
		l.t.Errorf("the hook does not refuse a forbidden call: %v", l.load.problems)
	}
	var readiness reply
	waitUntil(l.t, "the server names the fault", func() bool {
		readiness = l.request(l.t.Context(), http.MethodGet, "/readyz", "", nil)
		return strings.Contains(string(readiness.body), `"fault":"`+fault+`"`)
	})
	if !strings.Contains(string(readiness.body), `"degraded"`) || readiness.status != http.StatusOK {
		l.t.Errorf("got %d %s", readiness.status, readiness.body)
	}
	if refused := l.create("another"); refused.status != http.StatusServiceUnavailable {
		l.t.Errorf("a change: %d %s", refused.status, refused.body)
	}
	if found := l.run("doctor"); !strings.Contains(found, fault+": ") {
		l.t.Errorf("doctor does not name %s:\n%s", fault, found)
	}
	if !l.denies() {
		l.t.Errorf("the hook does not refuse a forbidden call any more: %v", l.load.problems)
	}
}

// accept() runs the command with which a person accepts the store in its current state.
func (l *losing) accept() {
	l.t.Helper()
	said := l.run("init")
	waitUntil(l.t, "the server uses the store after: "+said, l.ready)
	l.add("after")
}

func TestALossUnderARunningServerIsNamedAndChangesNoDecision(t *testing.T) {
	if testing.Short() {
		t.Skip("not in short mode: it builds the programs and takes some seconds")
	}
	bin := programs(t)
	for name, loss := range map[string]struct {
		fault string
		lose  func(l *losing)
	}{
		"a lost database": {"lost", func(l *losing) { l.removeFile() }},
		"an older copy in the place of the file": {"older", func(l *losing) {
			l.copyOlder()
			l.removeFile()
			must(l.t, os.Rename(l.older, l.file))
		}},
		"an online restore into the open file": {"older", func(l *losing) {
			l.copyOlder()
			l.restoreOnline()
		}},
		"another database in the place of the file": {"older", func(l *losing) {
			other := newLosing(l.t, l.bin, onSQLite(l.t))
			other.copyOlder()
			l.removeFile()
			must(l.t, os.Rename(other.older, l.file))
		}},
	} {
		t.Run(name, func(t *testing.T) {
			l := newLosing(t, bin, onSQLite(t))
			if !l.denies() {
				t.Fatalf("before the loss: %v", l.load.problems)
			}
			loss.lose(l)
			l.checkLoss(loss.fault)
			l.accept()
		})
	}
}

func TestALostIndexUnderARunningServerIsNamedAndChangesNoDecision(t *testing.T) {
	bin := programs(t)
	for _, index := range []string{"config", "audit", "state"} {
		t.Run(index, func(t *testing.T) {
			c := onElasticsearch(t)
			l := newLosing(t, bin, c)
			if !l.denies() {
				t.Fatalf("before the loss: %v", l.load.problems)
			}
			r, err := http.NewRequest(http.MethodDelete, c.Addresses[0]+"/"+c.IndexPrefix+"guardrails-"+index+"-v1", nil)
			must(t, err)
			a, err := http.DefaultClient.Do(r)
			must(t, err)
			must(t, a.Body.Close())
			l.checkLoss("lost")
		})
	}
}
