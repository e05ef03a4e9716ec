package sqlite_test

import (
	"context"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"
	"time"

	"guardrails/guideline"
	"guardrails/store"
	"guardrails/store/sqlite"
)

// crashPath is the name of an environment variable that has the path of a file. If the variable is set, the test binary
// writes to this file until somebody kills the binary.
const crashPath = "GUARDRAILS_TEST_CRASH"

// importSize is the number of guidelines in each import of writeImports.
const importSize = 40

func TestMain(m *testing.M) {
	if path := os.Getenv(crashPath); path != "" {
		fmt.Fprintln(os.Stderr, writeForever(path, os.Stdout))
		os.Exit(1)
	}
	code := m.Run()
	if benchFolder != "" {
		_ = os.RemoveAll(benchFolder)
	}
	os.Exit(code)
}

// writeForever appends entries, changes guidelines, imports and prunes concurrently. It prints a line for each
// acknowledged entry, change and import.
func writeForever(path string, out io.Writer) error {
	s, err := sqlite.Open(context.Background(), sqlite.Options{Path: path})
	if err != nil {
		return err
	}
	failed := make(chan error)
	for _, work := range []func(
		s *sqlite.Store, out io.Writer,
	) error{writeEntries, writeEntries, writeEntries, writeVersions, writeImports, writePrunings} {
		go func() {
			for {
				if err := work(s, out); err != nil {
					failed <- err
					return
				}
			}
		}()
	}
	return <-failed
}

func writeEntries(s *sqlite.Store, out io.Writer) error {
	e := entry(store.NewID(time.Now()))
	if _, err := s.Append(context.Background(), "a", e); err != nil {
		return err
	}
	_, err := fmt.Fprintln(out, "entry", e.ID)
	return err
}

func writeVersions(s *sqlite.Store, out io.Writer) error {
	w, g := newWrite(), small("version-"+unique())
	made, err := s.Create(context.Background(), w, g)
	if err == nil {
		made, err = s.Toggle(context.Background(), newWrite(), store.Ref{Key: made.ID, Version: 1})
	}
	if err == nil {
		_, err = fmt.Fprintln(out, "version", made.ID)
	}
	return err
}

func writeImports(s *sqlite.Store, out io.Writer) error {
	prefix := "import-" + unique()
	items := make([]guideline.Guideline, importSize)
	for i := range items {
		items[i] = small(fmt.Sprintf("%s-%d", prefix, i))
	}
	if _, err := s.Import(context.Background(), newWrite(), items, store.ImportOptions{}); err != nil {
		return err
	}
	_, err := fmt.Fprintln(out, "import", prefix)
	return err
}

// writePrunings appends entries to a tenant of its own and prunes them. The audit of this tenant must always pass
// verification.
func writePrunings(s *sqlite.Store, _ io.Writer) error {
	var batch [50]store.Entry
	for i := range batch {
		batch[i] = entry(store.NewID(time.Now()))
	}
	_, err := s.Append(context.Background(), "pruned", batch[:]...)
	if err == nil {
		w := newWrite()
		w.Tenant = "pruned"
		_, err = s.Prune(context.Background(), w, store.Retention{Keep: 20})
	}
	return err
}

func unique() string { return strings.ToLower(store.NewID(time.Now())) }
