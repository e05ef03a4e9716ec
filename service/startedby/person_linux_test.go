package startedby_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

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
