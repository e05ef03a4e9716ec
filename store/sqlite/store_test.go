package sqlite_test

import (
	"path/filepath"
	"testing"

	"guardrails/store"
	"guardrails/store/sqlite"
	"guardrails/store/storetest"
)

func TestStoreMeetsTheContract(t *testing.T) {
	t.Parallel()
	storetest.Run(t, func(t *testing.T) store.Store { return open(t, newPath(t)) })
}

func TestHandlesOnOneFileAgree(t *testing.T) {
	storetest.RunShared(t, func(t *testing.T) func() store.Store {
		path := newPath(t)
		return func() store.Store { return open(t, path) }
	})
}

func newPath(t *testing.T) string { return filepath.Join(t.TempDir(), "data", "guardrails.db") }

func open(t *testing.T, path string) *sqlite.Store {
	t.Helper()
	s, err := sqlite.Open(t.Context(), sqlite.Options{Path: path})
	if err != nil {
		t.Fatal(err)
	}
	return s
}
