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

// damagedStore is a store in which some reads fail.
type damagedStore struct{ store.Store }

func (damagedStore) Get(context.Context, string, string) (domain.Guideline, error) {
	return domain.Guideline{}, store.Errorf(store.Internal, "the row 7 of /home/alice/guardrails.db is damaged")
}

// Export returns many entries and then an error. The error occurs after the server has sent a part of the answer.
func (damagedStore) Export(context.Context, string, store.AuditFilter) iter.Seq2[store.Entry, error] {
	return func(yield func(store.Entry, error) bool) {
		e := store.Entry{
			ID: "e", Writer: "w", Kind: store.KindDecision, Time: time.Unix(0, 0),
			Event: strings.Repeat("x", 200), Hash: "h",
		}
		for range 1000 {
			if !yield(e, nil) {
				return
			}
		}
		yield(store.Entry{}, store.Errorf(store.Internal, "the row 8 is damaged"))
	}
}

func newDamagedAPI(t *testing.T) *testAPI {
	api := newAPI(t)
	api.store = live.New(live.Options{Open: live.Opened(damagedStore{emptyStore{}}), Now: api.clock})
	return api
}

type emptyStore struct{ store.Store }

func (emptyStore) All(context.Context, string) (store.Set, error) { return store.Set{}, nil }

func (emptyStore) Heads(context.Context, string) ([]store.Head, error) { return nil, nil }

func (emptyStore) Changes(context.Context, string, store.Moment) (store.Changes, error) {
	return store.Changes{Whole: true}, nil
}

func (emptyStore) Generations(_ context.Context, tenants ...string) ([]int64, error) {
	return make([]int64, len(tenants)), nil
}

func (emptyStore) Close() error { return nil }

func TestInternalErrorsAreOnlyLogged(t *testing.T) {
	api := newDamagedAPI(t)
	r := api.send(http.MethodGet, base+"/a", "").is(500).has("code", "internal")
	if strings.Contains(r.text, "alice") || !strings.Contains(api.logged.String(), "row 7") ||
		!strings.Contains(api.logged.String(), "caller=alice") {
		t.Errorf("%s, log: %s", r.text, api.logged)
	}
}

func TestAFailedExportIsCutOff(t *testing.T) {
	for _, format := range []string{"jsonl", "csv"} {
		api := newDamagedAPI(t)
		r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, api.url+base+"/audit/export?format="+format,
			http.NoBody)
		check(t, err)
		answer, err := http.DefaultClient.Do(r)
		check(t, err)
		text, err := io.ReadAll(answer.Body)
		check(t, answer.Body.Close())
		if err == nil || len(text) == 0 || !strings.Contains(api.logged.String(), "row 8") {
			t.Errorf("%s: %d bytes and %v, log: %s", format, len(text), err, api.logged)
		}
	}
}
