package service_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"guardrails/internal/fortests/need"
)

func read(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(name)
	check(t, err)
	return string(text)
}

func write(t *testing.T, name, text string) {
	t.Helper()
	check(t, os.WriteFile(name, []byte(text), 0o600))
}

func move(t *testing.T, from, to string) {
	t.Helper()
	check(t, os.Rename(from, to))
}

func mkdir(t *testing.T, name string) {
	t.Helper()
	check(t, os.MkdirAll(name, 0o700))
}

func link(t *testing.T, to, name string) {
	t.Helper()
	if err := os.Symlink(to, name); err != nil {
		need.Missing(t, err)
	}
}

func chmod(t *testing.T, name string, mode fs.FileMode) {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("modes mean nothing here")
	}
	check(t, os.Chmod(name, mode))
}

func onlyFile(t *testing.T, dir string) string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	check(t, err)
	if len(entries) != 1 {
		t.Fatalf("%d files in %s", len(entries), dir)
	}
	return filepath.Join(dir, entries[0].Name())
}

func check(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
