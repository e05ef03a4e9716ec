package intake_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"guardrails/internal/spool/intake"
	"guardrails/store"
)

// damages are ways in which a power failure or a person can damage a cursor's file.
var damages = map[string]func(text []byte) []byte{
	"is empty":       func([]byte) []byte { return nil },
	"is torn":        func(text []byte) []byte { return text[:len(text)/2] },
	"has only zeros": func(text []byte) []byte { return make([]byte, len(text)) },
	"is a copy of another one": func(text []byte) []byte {
		return bytes.Replace(text, []byte(`"store":"`), []byte(`"store":"x`), 1)
	},
}

// damage() alters the cursors whose text contains the given words.
func (w *fixture) damage(words string, change func([]byte) []byte) {
	w.t.Helper()
	files, err := filepath.Glob(filepath.Join(w.spool, "taken-*"))
	check(w.t, err)
	found := false
	for _, file := range files {
		text, err := os.ReadFile(file)
		check(w.t, err)
		if strings.Contains(string(text), words) {
			found = true
			check(w.t, os.WriteFile(file, change(text), 0o600))
		}
	}
	if !found {
		w.t.Fatalf("no cursor has %s", words)
	}
}

func TestNoLineIsLostIfACursorIsDamaged(t *testing.T) {
	for how, change := range damages {
		for whose, words := range map[string]string{
			"the own store": `"store":"main"`, "the store that failed": `"store":"second"`, "every store": `"store":"`,
		} {
			t.Run("of "+whose+" "+how, func(t *testing.T) {
				w := newFixture(t)
				w.home("/r", "acme", "second")
				w.write(record(1, "/r"), record(2, "/p"))
				w.all(w.intake())
				check(t, w.open["second"].Close())
				w.write(record(3, "/r"), record(4, "/p"))
				if _, err := w.intake().All(t.Context()); err == nil {
					t.Fatal("the closed store took lines")
				}
				w.damage(words, change)
				if got, err := intake.Waiting([]string{w.spool}); got.Lines != 4 || err != nil {
					t.Errorf("after the damage: got %+v, %v", got, err)
				}
				delete(w.open, "second")
				w.home("/r", "acme", "second")
				w.all(w.intake())
				if main, second := w.reasons("main", "acme"), w.reasons("second", "acme"); main != "r2 r4" || second != "r1 r3" {
					t.Errorf("%q and %q", main, second)
				}
				if got, err := intake.Waiting([]string{w.spool}); got.Lines != 0 || err != nil {
					t.Errorf("got %+v, %v", got, err)
				}
			})
		}
	}
}

func TestNoLineOfARefusedTenantIsLostIfItsCursorIsDamaged(t *testing.T) {
	for how, change := range damages {
		t.Run(how, func(t *testing.T) {
			w := newFixture(t)
			s := w.withPicky(map[string]error{"bad": store.Errorf(store.ReadOnly, "it lacks changes")}, "/bad", "/good")
			w.write(record(1, "/bad"), record(2, "/good"), record(3, "/bad"))
			_, _ = w.intake().All(t.Context())
			w.damage(`"late":true`, change)
			w.write(record(4, "/good"))
			if _, err := w.intake().All(t.Context()); err == nil {
				t.Error("the refused entries are not reported")
			}
			s.refuses = nil
			w.all(w.intake())
			if bad, good := w.reasons("main", "bad"), w.reasons("main", "good"); bad != "r1 r3" || good != "r2 r4" {
				t.Errorf("%q and %q", bad, good)
			}
		})
	}
}
