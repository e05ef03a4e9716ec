//go:build unix

package config_test

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"guardrails/config"
)

func TestNamedPipeInPlaceOfSettingsIsAProblemWithoutWaiting(t *testing.T) {
	root := t.TempDir()
	name := filepath.Join(root, config.File)
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mkfifo(name, 0o600); err != nil {
		t.Fatal(err)
	}
	_, problems := load(root, from(nil))
	if got, want := problems.Error(), name+": cannot be read: is not a regular file; check its permissions"; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}
