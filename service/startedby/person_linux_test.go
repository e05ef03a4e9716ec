package startedby_test

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
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
	must(t, os.RemoveAll(filepath.Join(base, "other")))
	begin(os.Getpid())
	want("without the record and the session's files, after one more session", startedby.ErrProof)
	must(t, os.WriteFile(record, []byte("x"), 0o600), os.Remove(filepath.Join(state, "own-files")))
	want("with a forged record", startedby.ErrProof)
	must(t, os.WriteFile(record, text, 0o600))
	want("with the record alone", startedby.ErrProof)
	// A program that uses only the key is not a session.
	must(t, os.Remove(record))
	want("on a machine that has a key", nil)
}

// firstStage is a home folder in which sessions begin.
type firstStage struct {
	t    *testing.T
	base string
}

func (s firstStage) host(client int) *hooks.Host {
	s.t.Helper()
	env := func(name string) string {
		return map[string]string{"HOME": s.base, "GUARDRAILS_CACHE_DIR": filepath.Join(s.base, "run")}[name]
	}
	dir, err := private.Runtime(env)
	must(s.t, err)
	return &hooks.Host{
		Machine: host.New(env, ""), Now: time.Now, Dir: dir, State: s.state(), Client: client, Program: filepath.Join(s.base, "x"),
		Ask: func([]byte) ([]byte, error, error) { return nil, nil, errors.New("no guidelines") },
	}
}

func (s firstStage) state() string { return filepath.Join(s.base, ".local/state/guardrails") }

func (s firstStage) begin(id string, client int) {
	s.t.Helper()
	hooks.Inject(s.host(client), &wire.Event{Name: wire.SessionStart, Session: id, Cwd: s.base})
}

func (s firstStage) want(what string, sessions bool, want ...uint64) {
	s.t.Helper()
	if got := hooks.FirstClients(s.state(), false, sessions); !slices.Equal(got, want) {
		s.t.Errorf("%s: got %v, want %v", what, got, want)
	}
}

// start returns when a process started.
func start(id int) uint64 { return startedby.This(os.Getenv, nil).Find(id).Start }

func TestASessionDoesNotReplaceALostRecordByALaterStart(t *testing.T) {
	for what, lose := range map[string]func(s firstStage, record string) error{
		"deleted with the files of the sessions": func(s firstStage, record string) error {
			return errors.Join(os.Remove(record), os.RemoveAll(filepath.Join(s.base, "run")))
		},
		"forged": func(_ firstStage, record string) error { return os.WriteFile(record, []byte("x"), 0o600) },
	} {
		s := firstStage{t, t.TempDir()}
		s.begin("s1", os.Getppid())
		s.want(what+", before", true, start(os.Getppid()))
		must(t, lose(s, filepath.Join(s.state(), "clients")))
		s.begin("s2", os.Getpid())
		s.want(what, true, start(1)+1)
	}
}

// An earlier version made no record, and its sessions still run.
func TestAfterAnUpdateTheFilesOfTheSessionsTellWhenTheFirstClientStarted(t *testing.T) {
	s := firstStage{t, t.TempDir()}
	s.begin("s1", os.Getppid())
	must(t, os.Remove(filepath.Join(s.state(), "clients")))
	s.want("before the next event", true)
	s.want("without the files of the sessions", false, start(1)+1)
	prompt := &wire.Event{Name: wire.UserPromptSubmit, Session: "s1", Cwd: s.base, Prompt: "go on"}
	hooks.Inject(s.host(os.Getpid()), prompt)
	must(t, os.Remove(filepath.Join(s.state(), "clients")))
	hooks.Inject(s.host(os.Getpid()), prompt)
	s.want("after the second prompt", true, start(os.Getppid()))
}

func TestAFolderThatOthersCanWriteToDoesNotHideTheFirstClient(t *testing.T) {
	s := firstStage{t, t.TempDir()}
	s.begin("s1", os.Getpid())
	must(t, os.Chmod(s.state(), 0o770))
	s.want("a folder for the group", true, start(1)+1)
}

func must(t *testing.T, errs ...error) {
	t.Helper()
	if err := errors.Join(errs...); err != nil {
		t.Fatal(err)
	}
}
