package elastic

import (
	"bytes"
	"encoding/json"
	"reflect"
	"strings"
	"testing"
	"time"

	"guardrails/guideline"
	"guardrails/store"
)

// The document of an entry without changes is made from the sealed text. This document must not differ from the
// document that encoding/json makes from the entry.
func TestTheDocumentOfAnEntryHasAllItsFields(t *testing.T) {
	at := time.Date(2026, 2, 5, 10, 0, 0, 0, time.UTC)
	for name, c := range map[string]struct {
		tenant string
		entry  store.Entry
	}{
		"a decision": {"acme", store.Entry{
			ID: "d1", Event: "gate", Time: at, Decision: &store.Decision{Result: "deny", Reason: "<no> & \u2028 \xff"},
			Context: &guideline.Context{Agent: "a", Metadata: map[string]any{"n": json.Number("1.50"), "s": []any{"\n"}}},
		}},
		"a verdict": {"", store.Entry{
			ID: "v1", Event: "safety_input", Time: at,
			Context: &guideline.Context{Metadata: map[string]any{"details": map[string]any{"mode": "observe"}}},
		}},
		"a decision without a tenant": {"", store.Entry{ID: "d2", Event: "gate", Time: at}},
		"a change": {"acme", store.Entry{
			ID: "c1", Event: store.Updated, Time: at, Changes: []store.FieldChange{{Field: "name", New: json.RawMessage(`{"b":1.50}`)}},
		}},
	} {
		t.Run(name, func(t *testing.T) {
			_, text, err := store.Head{Chain: store.Chain{Tenant: c.tenant, Writer: "w", Kind: store.KindDecision}}.Seal(&c.entry)
			must(t, err)
			sealed, err := store.DecodeEntry(text)
			must(t, err)
			sealed.Hash = c.entry.Hash
			doc, err := docOf(text, &c.entry)
			must(t, err)
			got, err := decodeEntry(doc)
			must(t, err)
			if !reflect.DeepEqual(got, sealed) {
				t.Errorf("got %+v\nwant %+v", got, sealed)
			}
			var fields map[string]json.RawMessage
			must(t, json.Unmarshal(doc, &fields))
			if want := strings.Contains(string(text), "observe"); want != (string(fields["mode"]) == `"observe"`) {
				t.Errorf("the mode is %s", fields["mode"])
			}
			if want, _ := json.Marshal(c.tenant); !bytes.Equal(fields["tenant_id"], want) || bytes.ContainsAny(doc, "\n") {
				t.Errorf("the document is %s", doc)
			}
		})
	}
}

// A writer must be able to read a pending transaction exactly as another writer wrote it.
func TestAJournalIsEncodedAsJSON(t *testing.T) {
	actions := []action{
		{Index: auditIndex, ID: "entry-1", Doc: json.RawMessage(`{"a":"<\u2028>"}`)},
		{Index: configIndex, ID: "revision-1", Replace: true, Doc: json.RawMessage(`{"b":1.50}`)},
	}
	heads := []store.Head{{Chain: store.Chain{Writer: "w", Kind: store.KindChange}, Seq: 3, Hash: "h"}}
	for name, p := range map[string]*pending{
		"no transaction":       nil,
		"without documents":    {ID: "t", Generation: 2},
		"with documents":       {ID: "t", Handle: "h", Generation: 2, Heads: heads, Actions: actions},
		"with one of them":     {ID: "t", Actions: actions[:1], Segment: 4},
		"with parts":           {ID: "t", Parts: 3},
		"with a quote in it":   {ID: `"`, Actions: actions},
		"with no heads at all": {ID: "t", Heads: nil, Actions: actions},
	} {
		t.Run(name, func(t *testing.T) {
			j := &journal{Kind: kindJournal, Tenant: `a"b`, Generation: 1, Heads: heads, Segment: 2, Pending: p}
			text, err := j.encode()
			must(t, err)
			want, err := json.Marshal(j)
			must(t, err)
			var got, other any
			must(t, json.Unmarshal(text, &got))
			must(t, json.Unmarshal(want, &other))
			if !reflect.DeepEqual(got, other) {
				t.Errorf("got %s\nwant %s", text, want)
			}
		})
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
