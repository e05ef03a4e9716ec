package open_test

import (
	"os"
	"path/filepath"
	"testing"

	"guardrails/config"
	"guardrails/hooks/session"
)

func TestAChangeLeavesASignForTheSessionsOfThisUser(t *testing.T) {
	p := newPlace(t)
	c, err := p.open(&config.Config{}, true)
	check(t, err)
	sign := filepath.Join(p.env("GUARDRAILS_CACHE_DIR"), session.ChangedName)
	if _, err := os.Stat(sign); err == nil {
		t.Fatal("there is a sign before anything was changed")
	}
	_, err = book(c).Create(t.Context(), small("one"))
	check(t, err)
	if _, err := os.Stat(sign); err != nil {
		t.Error(err)
	}
}
