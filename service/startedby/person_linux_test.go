package startedby_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"guardrails/hooks"
	"guardrails/hooks/wire"
	"guardrails/host"
	"guardrails/internal/private"
	"guardrails/service/startedby"
)

func TestASessionThatHooksHaveSeenNeedsProof(t *testing.T) {
	base := t.TempDir()
	env := func(name string) string {
		return map[string]string{"HOME": base, "GUARDRAILS_CACHE_DIR": filepath.Join(base, "run")}[name]
	}
	if err := startedby.Person(env); err != nil {
		t.Errorf("without a session: %v", err)
	}
	dir, err := private.Runtime(env)
	if err != nil {
		t.Fatal(err)
	}
	// The client of this session counts as started at the same time as the system, so every process is younger.
	name := "guardrails-s1.client"
	if err := os.WriteFile(dir.Path(name), dir.KeyOf(name).Sign([]byte("1")), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := startedby.Person(env); !errors.Is(err, startedby.ErrProof) {
		t.Errorf("with a session: %v", err)
	}
	// A note that the guard did not write is ignored. The time at which the session's files were created is then used as
	// the start time of the client. This time is later than the start of this test.
	if err := os.WriteFile(dir.Path(name), []byte("1"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := startedby.Person(env); errors.Is(err, startedby.ErrAgent) {
		t.Errorf("with a forged note: %v", err)
	}
}

// A client that has ended leaves a record in the state folder, even if its session had its files somewhere else.
func TestARecordInTheStateFolderShowsThatAClientHasRun(t *testing.T) {
	base := t.TempDir()
	env := func(name string) string {
		return map[string]string{"HOME": base, "GUARDRAILS_CACHE_DIR": filepath.Join(base, "run")}[name]
	}
	state := filepath.Join(base, ".local/state/guardrails")
	want := func(what string, want error) {
		t.Helper()
		if err := startedby.Person(env); !errors.Is(err, want) {
			t.Errorf("%s: got %v, want %v", what, err, want)
		}
	}
	begin := func(client int) {
		t.Helper()
		elsewhere := func(name string) string {
			return map[string]string{"HOME": base, "GUARDRAILS_CACHE_DIR": filepath.Join(base, "other")}[name]
		}
		dir, err := private.Runtime(elsewhere)
		if err != nil {
			t.Fatal(err)
		}
		h := &hooks.Host{
			Machine: host.New(elsewhere, ""), Now: time.Now, Dir: dir, State: state, Client: client, Program: filepath.Join(base, "x"),
			Ask: func([]byte) ([]byte, error, error) { return nil, nil, errors.New("no guidelines") },
		}
		hooks.Inject(h, &wire.Event{Name: wire.SessionStart, Session: "s1", Cwd: base})
	}
	want("without a session", nil)
	begin(1) // this client counts as started at the same time as the system, so every process is younger
	want("after a session", startedby.ErrProof)
	begin(os.Getpid())
	want("after a second session", startedby.ErrProof)
	record := filepath.Join(state, "clients")
	text, err := os.ReadFile(record)
	must(t, err, os.Remove(record))
	want("without the record", startedby.ErrProof)
	must(t, os.WriteFile(record, []byte("x"), 0o600), os.Remove(filepath.Join(state, "own-files")))
	want("with a forged record", startedby.ErrProof)
	must(t, os.WriteFile(record, text, 0o600))
	want("with the record alone", startedby.ErrProof)
	// A program that uses only the key is not a session.
	must(t, os.Remove(record))
	want("on a machine that has a key", nil)
}

func must(t *testing.T, errs ...error) {
	t.Helper()
	if err := errors.Join(errs...); err != nil {
		t.Fatal(err)
	}
}
