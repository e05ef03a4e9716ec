//go:build unix

package private_test

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

func TestNoProgramWaitsForeverForAnotherOneThatMakesTheKey(t *testing.T) {
	base := t.TempDir()
	must(t, os.MkdirAll(filepath.Dir(keyFile(base)), 0o700))
	folder, err := os.Open(filepath.Dir(keyFile(base)))
	must(t, err)
	must(t, syscall.Flock(int(folder.Fd()), syscall.LOCK_EX))
	if _, err := signer(t, base).Key(); err == nil || !strings.Contains(err.Error(), "cannot be locked") {
		t.Errorf("got %v", err)
	}
	must(t, folder.Close()) // as if the other program was killed
	if _, err := signer(t, base).Key(); err != nil {
		t.Error(err)
	}
}
