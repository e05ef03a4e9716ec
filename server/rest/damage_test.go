package rest_test

import (
	"context"
	"io"
	"iter"
	"net/http"
	"strings"
	"testing"
	"time"

	domain "guardrails/guideline"
	"guardrails/store"
	"guardrails/store/live"
)

// damaged is a store of which a part cannot be read.
type damaged struct{ store.Store }

func (damaged) Get(context.Context, string, string) (domain.Guideline, error) {
	return domain.Guideline{}, store.Errorf(store.Internal, "the row 7 of /home/alice/guardrails.db is spoiled")
}

// Export gives so many entries that a part of them is sent before the damage is met.
func (damaged) Export(context.Context, string, store.AuditFilter) iter.Seq2[store.Entry, error] {
	return func(yield func(store.Entry, error) bool) {
		e := store.Entry{ID: "e", Writer: "w", Kind: store.KindDecision, Time: time.Unix(0, 0), Event: strings.Repeat("x", 200), Hash: "h"}
		for range 1000 {
			if !yield(e, nil) {
				return
			}
		}
		yield(store.Entry{}, store.Errorf(store.Internal, "the row 8 is spoiled"))
	}
}

func newDamagedDoor(t *testing.T) *door {
	d := newDoor(t)
	d.store = live.New(live.Options{Open: live.Opened(damaged{nothing{}}), Now: d.clock})
	return d
}

// nothing is a store of which nothing is asked.
type nothing struct{ store.Store }

func (nothing) Close() error { return nil }

func TestWhatIsWrongInsideIsToldToTheLogAlone(t *testing.T) {
	d := newDamagedDoor(t)
	r := d.send(http.MethodGet, base+"/a", "").is(500).has("code", "internal")
	if strings.Contains(r.text, "alice") || !strings.Contains(d.logged.String(), "row 7") || !strings.Contains(d.logged.String(), "caller=alice") {
		t.Errorf("%s, and the log: %s", r.text, d.logged)
	}
}

func TestAnExportThatCannotBeFinishedIsCutOff(t *testing.T) {
	for _, format := range []string{"jsonl", "csv"} {
		d := newDamagedDoor(t)
		r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, d.url+base+"/audit/export?format="+format, http.NoBody)
		check(t, err)
		answer, err := http.DefaultClient.Do(r)
		check(t, err)
		text, err := io.ReadAll(answer.Body)
		check(t, answer.Body.Close())
		if err == nil || len(text) == 0 || !strings.Contains(d.logged.String(), "row 8") {
			t.Errorf("%s: %d bytes and %v, and the log: %s", format, len(text), err, d.logged)
		}
	}
}
