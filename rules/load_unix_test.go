//go:build unix

package rules_test

import (
	"path/filepath"
	"syscall"
	"testing"

	"guardrails/rules"
)

func TestNamedPipeIsRefusedWithoutWaiting(t *testing.T) {
	dir := tree(t, nil)
	if err := syscall.Mkfifo(filepath.Join(dir, "p.yaml"), 0o600); err != nil {
		t.Fatal(err)
	}
	expectOutcome(t, dir, rules.Load(dir), "", "p.yaml: is not a regular file; copy its content into a regular file")
}
