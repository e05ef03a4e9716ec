package elastic

import (
	"bytes"
	"encoding/json"
	"testing"

	"guardrails/store"
	"guardrails/store/elastic/cluster"
)

// Every decoded revision can be encoded and decoded again without a change.
func FuzzRevisionsEncodeToThemselves(f *testing.F) {
	g := anyGuideline("one")
	g.Version, g.TenantID = 2, "a"
	k := storedRevision{store.Revision{Guideline: g, Event: store.Updated, Actor: "ann", WriteID: "w"}, 3, 4}
	good, err := k.encode()
	if err != nil {
		f.Fatal(err)
	}
	f.Add([]byte(good))
	f.Add([]byte(`{"id": 1}`))
	f.Add([]byte(`[]`))
	f.Add(bytes.Replace(good, []byte(`"generation":3`), []byte(`"generation":"3"`), 1))
	c, err := cluster.New(&cluster.Options{Addresses: []string{"http://here"}})
	if err != nil {
		f.Fatal(err)
	}
	s := &Store{client: c}
	f.Fuzz(func(t *testing.T, source []byte) {
		k, err := s.decodeRevision(source)
		if err != nil {
			return
		}
		text, err := k.encode()
		if err != nil {
			return // times that JSON cannot represent
		}
		again, err := s.decodeRevision(text)
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		if twice, err := again.encode(); err != nil || !bytes.Equal(twice, text) {
			t.Errorf("%s\n%s\n%v", text, twice, err)
		}
	})
}

// A sealed entry keeps its canonical form when it is written to a document and decoded again.
func FuzzEntriesDecodeToThemselves(f *testing.F) {
	e := store.Entry{
		ID: "e", Kind: store.KindChange, Event: store.Updated,
		Changes: []store.FieldChange{{Field: "name", Old: json.RawMessage(`"a"`), New: json.RawMessage(`{"b":[1.50,null]}`)}},
	}
	_, text, err := store.Head{Chain: store.Chain{Tenant: "a", Writer: "w", Kind: store.KindChange}}.Seal(&e)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(text)
	f.Add([]byte(`{"changes":[{"field":"x"}],"context":{"metadata":{"n":1e400}}}`))
	f.Add([]byte(`{"tenant_id":"a","hash":"\"}","decision":{"reason":"<\u2028>"},"context":{"metadata":{"n":1.50}}}`))
	f.Add([]byte(`null`))
	f.Fuzz(func(t *testing.T, text []byte) {
		e, err := store.DecodeEntry(text)
		if err != nil {
			return
		}
		canonical, err := e.Sealed()
		if err != nil {
			return
		}
		stored, err := docOf(canonical, &e)
		if err != nil {
			t.Fatalf("%s: %v", canonical, err)
		}
		read, err := decodeEntry(stored)
		if err != nil {
			t.Fatalf("%s: %v", stored, err)
		}
		if read.Hash != e.Hash || !bytes.Contains(stored, []byte(`"tenant_id":`)) {
			t.Errorf("%s lacks the tenant or the hash %q", stored, e.Hash)
		}
		if again, err := read.Sealed(); err != nil || !bytes.Equal(again, canonical) {
			t.Errorf("%s\n%s\n%v", canonical, again, err)
		}
	})
}
