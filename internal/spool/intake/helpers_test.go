package intake_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"guardrails/internal/spool"
	"guardrails/internal/spool/intake"
	"guardrails/store"
	"guardrails/store/live"
	"guardrails/store/sqlite"
)

type fixture struct {
	t     *testing.T
	base  string
	spool string
	now   time.Time
	// The field "homes" maps each project to the destination of its lines. The field "open" maps the name of each
	// store to the store.
	homes map[string]intake.Home
	open  map[string]*live.Store
}

func newFixture(t *testing.T) *fixture {
	t.Helper()
	base := t.TempDir()
	w := &fixture{
		t: t, base: base, spool: filepath.Join(base, "state", "spool"), now: time.Date(2026, 2, 5, 10, 0, 0, 0, time.UTC),
		homes: map[string]intake.Home{}, open: map[string]*live.Store{},
	}
	w.home("", "", "main")
	w.home("/p", "acme", "main")
	return w
}

// home() sends the spool lines of a project to the tenant with the given name.
func (w *fixture) home(project, tenant, name string) {
	w.t.Helper()
	if w.open[name] == nil {
		s, err := sqlite.Open(w.t.Context(), sqlite.Options{Path: filepath.Join(w.base, name, "guardrails.db")})
		check(w.t, err)
		opened := live.New(live.Options{Open: live.Opened(s), Location: name, Now: time.Now})
		w.t.Cleanup(func() { check(w.t, opened.Close()) })
		w.open[name] = opened
	}
	w.homes[project] = intake.Home{Store: name, Tenant: tenant, Catalog: w.open[name]}
}

func (w *fixture) intake() *intake.Intake {
	return intake.New(intake.Options{
		Dirs: []string{w.spool}, Now: func() time.Time { return w.now },
		Home: func(_ context.Context, project string) intake.Home { return w.homes[project] },
	})
}

func (w *fixture) all(i *intake.Intake) intake.Report {
	w.t.Helper()
	r, err := i.All(w.t.Context())
	check(w.t, err)
	return r
}

// write() appends records to the spool with spool.Append, which hooks also use.
func (w *fixture) write(records ...string) {
	w.t.Helper()
	for _, r := range records {
		check(w.t, spool.Append(filepath.Dir(w.spool), w.now, []byte(r)))
	}
}

// record() returns a line like the lines that hooks write. The reason in the line is "r" followed by the number.
func record(number int, project string, more ...string) string {
	return fmt.Sprintf(`{"time":"2026-02-05T09:00:00.%09dZ","kind":"decision","outcome":"deny","session_id":"s1","agent":"backend","project":%q,"tool":"Bash","guideline_id":"no-push","reason":"r%d"%s}`,
		number, project, number, strings.Join(more, ""))
}

// entries() returns the entries of a tenant in a store, oldest first.
func (w *fixture) entries(name, tenant string) []store.Entry {
	w.t.Helper()
	var out []store.Entry
	for e, err := range w.open[name].For(live.Caller{Tenant: tenant}).Entries(w.t.Context(), store.AuditFilter{}) {
		check(w.t, err)
		out = append(out, e)
	}
	return out
}

// reasons() returns the reasons in a tenant's audit entries, separated by spaces.
func (w *fixture) reasons(name, tenant string) string {
	w.t.Helper()
	var out []string
	for _, e := range w.entries(name, tenant) {
		out = append(out, e.Decision.Reason)
	}
	return strings.Join(out, " ")
}

func (w *fixture) file(day string) string { return filepath.Join(w.spool, day+".jsonl") }

func check(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func encoded(t *testing.T, value any) string {
	t.Helper()
	text, err := json.MarshalIndent(value, "", "  ")
	check(t, err)
	return string(text) + "\n"
}

func appendTo(t *testing.T, name, text string) {
	t.Helper()
	check(t, os.MkdirAll(filepath.Dir(name), 0o700))
	f, err := os.OpenFile(name, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	check(t, err)
	_, err = f.WriteString(text)
	check(t, err)
	check(t, f.Close())
}
