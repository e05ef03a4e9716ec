package sqlite_test

import (
	"context"
	"database/sql"
	"strings"
	"testing"
	"time"

	"guardrails/guideline"
	"guardrails/store"
	"guardrails/store/sqlite"
)

func newWrite() store.Write {
	return store.Write{ID: store.NewID(time.Now()), Tenant: "a", Actor: "ann"}
}

func small(id string) guideline.Guideline {
	return guideline.Guideline{
		ID: id, Name: id, Category: guideline.Custom, Action: guideline.Action{Type: guideline.Instruction},
	}
}

func entry(id string) store.Entry {
	return store.Entry{
		ID: id, Kind: store.KindDecision, Event: "tool_call", Actor: "ann", Session: "s", Guideline: "one",
		Decision: &store.Decision{Result: "allow"},
	}
}

// addOne creates one guideline and appends one decision.
func addOne(t *testing.T, s store.Store) {
	t.Helper()
	if _, err := s.Create(t.Context(), newWrite(), small("one")); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Append(t.Context(), "a", entry("d")); err != nil {
		t.Fatal(err)
	}
}

// raw() runs statements directly on a file, without a Store.
func raw(t *testing.T, path string, statements ...string) {
	t.Helper()
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	for _, s := range statements {
		if _, err := db.Exec(s); err != nil {
			t.Fatalf("%s: %v", s, err)
		}
	}
}

// refuse() opens a store. Opening must fail with the given code, and the error must contain the given words.
func refuse(t *testing.T, o sqlite.Options, code store.Code, words string) {
	t.Helper()
	s, err := sqlite.Open(context.Background(), o)
	if err == nil {
		s.Close()
	}
	if store.CodeOf(err) != code || !strings.Contains(err.Error(), words) {
		t.Errorf("got %v (%s), want %s with %q", err, store.CodeOf(err), code, words)
	}
}

func join(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}
