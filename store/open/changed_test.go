package open_test

import (
	"os"
	"path/filepath"
	"testing"

	"guardrails/config"
	"guardrails/internal/changemark"
)

func TestAChangeIsMarkedForTheSessionsOfThisUser(t *testing.T) {
	f := newFolder(t)
	s, err := f.open(&config.Config{}, true)
	check(t, err)
	mark := filepath.Join(f.env("GUARDRAILS_CACHE_DIR"), changemark.Name)
	if _, err := os.Stat(mark); err == nil {
		t.Fatal("the mark exists before any change")
	}
	_, err = tenant(s).Create(t.Context(), small("one"))
	check(t, err)
	if _, err := os.Stat(mark); err != nil {
		t.Error(err)
	}
}
