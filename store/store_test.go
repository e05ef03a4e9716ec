package store_test

import (
	"bytes"
	"context"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"guardrails/guideline"
	"guardrails/store"
)

func TestIDsAreUniqueAndSortByTime(t *testing.T) {
	seen := map[string]bool{}
	before := ""
	for i := range 1000 {
		id := store.NewID(start.Add(time.Duration(i) * time.Millisecond))
		w := store.Write{ID: id, Actor: "ann"}
		if err := w.Validate(); err != nil || seen[id] || id <= before || len(id) != 26 {
			t.Fatalf("%s after %s: %v", id, before, err)
		}
		seen[id], before = true, id
	}
	if one, two := store.NewID(start), store.NewID(start); one == two {
		t.Errorf("two ids are both %s", one)
	}
}

func TestErrorsHaveACodeAMessageAndACause(t *testing.T) {
	cause := errors.New("cause")
	err := store.Errorf(store.Unavailable, "the store does not answer: %w", cause)
	if !errors.Is(err, cause) || err.Error() != "the store does not answer: cause" ||
		store.CodeOf(err) != store.Unavailable {
		t.Errorf("got %v", err)
	}
	if store.CodeOf(nil) != "" || store.CodeOf(cause) != store.Internal ||
		store.CodeOf(store.Closed()) != store.Unavailable {
		t.Error("got a wrong code")
	}
	ctx, cancel := context.WithCancelCause(context.Background())
	cancel(cause)
	if err := store.Interrupted(ctx); !errors.Is(err, cause) || err.Code != store.Unavailable {
		t.Errorf("got %v", err)
	}
}

func TestDifferentChangesHaveDifferentFingerprints(t *testing.T) {
	one, err := store.Fingerprint("toggle", store.Ref{Key: "a", Version: 1})
	if err != nil {
		t.Fatal(err)
	}
	same, _ := store.Fingerprint("toggle", store.Ref{Key: "a", Version: 1})
	other, _ := store.Fingerprint("toggle", store.Ref{Key: "a", Version: 2})
	deletion, _ := store.Fingerprint("delete", store.Ref{Key: "a", Version: 1})
	if one != same || one == other || one == deletion {
		t.Errorf("got %s, %s, %s, %s", one, same, other, deletion)
	}
	if _, err := store.Fingerprint("create", math.NaN()); store.CodeOf(err) != store.Invalid {
		t.Errorf("got %v", err)
	}
}

func TestSearchesAreSplitIntoLowerCaseWords(t *testing.T) {
	f := store.Filter{Search: "  Übung macht\tdie Übung "}
	if got := f.Words(); !slices.Equal(got, []string{"die", "macht", "übung"}) {
		t.Errorf("got %q", got)
	}
	g := guideline.Guideline{
		Name: "Name", Description: "DESCRIPTION", Metadata: map[string]any{"tags": []any{"a", 1, "b"}},
	}
	if store.Searchable(&g) != "name\ndescription" || !slices.Equal(store.Tags(&g), []string{"a", "b"}) {
		t.Errorf("got %q, %q", store.Searchable(&g), store.Tags(&g))
	}
}

// Decoding and encoding an entry must not change its canonical form, whatever the input was.
func FuzzEntriesEncodeToThemselves(f *testing.F) {
	f.Add([]byte(
		`{"id":"a","writer":"w","kind":"decision","seq":1,"timestamp":"2026-03-01T00:00:00Z","event_type":"tool_call"}`,
	))
	f.Add(
		[]byte(
			`{"id":"a","context":{"agent":"x","metadata":{"n":1.50,"big":12345678901234567890,"e":1e400,"deep":[{"b":1,"a":null}]}}}`,
		),
	)
	f.Add(
		[]byte(`{"decision":{"result":"\ufffd\u2028<>&"},"changes":[{"field":"a","old_value": [1, 2 ],"new_value":null}]}`),
	)
	f.Add([]byte("{\"actor\":\"\xff\"}"))
	f.Add([]byte(`{"context":{"agent":"\u0001","paths":["\u0002","\u0003"],"metadata":{"\u0004":["\u0005",true,{"\u0006":null}]}}}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		e, err := store.DecodeEntry(text)
		if err != nil {
			return
		}
		once, err := store.EncodeEntry(&e)
		if err != nil {
			return
		}
		if size, known := store.LargestSize(&e); known && len(once) > size {
			t.Errorf("%d bytes, at most %d were expected: %s", len(once), size, once)
		}
		read, err := store.DecodeEntry(once)
		if err != nil {
			t.Fatalf("cannot read %s: %v", once, err)
		}
		if again, err := store.EncodeEntry(&read); err != nil || !bytes.Equal(again, once) {
			t.Errorf("got %s\nafter %s (%v)", again, once, err)
		}
	})
}

// Encoding and decoding a record must not change it.
func FuzzRecordsEncodeToThemselves(f *testing.F) {
	f.Add([]byte(`{"head":{"tenant_id":"a","writer":"w","kind":"change","seq":3,"hash":"00","base":1,"base_hash":"11"}}`))
	f.Add([]byte(`{"entry":{"id":"a","writer":"w","kind":"decision","seq":1,"timestamp":"2026-03-01T00:00:00Z",` +
		`"event_type":"tool_call","pruning":{"writer":"w","seq":1,"hash":"0"}}}`))
	f.Add([]byte(`{"revision":{"guideline":{"id":"a","name":"A","category":"custom","action":{"type":"instruction"},` +
		`"metadata":{"n":1.50}},"event_type":"guideline_created","actor":"ann","at":"2026-03-01T00:00:00Z",` +
		`"write_id":"12345678"}}`))
	f.Add([]byte(`{"revision":{"guideline":{"id":"a"}}}`))
	f.Add([]byte(`{"head":null,"entry":null,"revision":null} {}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		r, err := store.DecodeRecord(text)
		if err != nil {
			if store.CodeOf(err) != store.Invalid {
				t.Errorf("got %v", err)
			}
			return
		}
		once, err := store.EncodeRecord(r)
		if err != nil {
			t.Fatal(err)
		}
		again, err := store.DecodeRecord(once)
		if err != nil {
			t.Fatalf("cannot read %s: %v", once, err)
		}
		if twice, err := store.EncodeRecord(again); err != nil || !bytes.Equal(once, twice) {
			t.Errorf("got %s\nafter %s (%v)", twice, once, err)
		}
	})
}

func TestEntriesAreCheckedBeforeTheyAreSealed(t *testing.T) {
	e := store.Entry{ID: "a", Kind: store.KindDecision, Event: "tool_call"}
	if err := e.Prepare("a", start.Add(1234567)); err != nil || e.Tenant != "a" ||
		!e.Time.Equal(start.Add(time.Millisecond)) {
		t.Errorf("got %+v, %v", e, err)
	}
	e.Actor = strings.Repeat("x", store.MaxName+1)
	if err := e.Prepare("a", start); store.CodeOf(err) != store.Invalid {
		t.Errorf("got %v", err)
	}
}
