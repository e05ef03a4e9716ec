package session_test

import (
	"path/filepath"
	"slices"
	"testing"

	"guardrails/internal/private"
)

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func folder(t testing.TB) *private.Dir {
	t.Helper()
	d, err := private.Open(filepath.Join(t.TempDir(), "guardrails"))
	must(t, err)
	return d
}

func names(t *testing.T, d *private.Dir, prefix string) []string {
	t.Helper()
	list, err := d.List(prefix)
	must(t, err)
	return list
}

func expect(t *testing.T, got, want []string) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}
