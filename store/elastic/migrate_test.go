package elastic

import (
	"context"
	"errors"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/elastic/go-elasticsearch/v8/esapi"

	"guardrails/guideline"
	"guardrails/store"
)

// next() returns the layouts of a future version, which have one more field.
func next() []layout {
	all := layouts()
	for i := range all {
		all[i].version++
		all[i].fields += `, "new_field": ` + keyword
	}
	return all
}

// targets() returns options for the servers on which the tests migrate indices. One of them uses an API key.
func targets(t *testing.T) map[string]Options {
	s := NewSecured(t)
	prefix := strings.ToLower(store.NewID(time.Now())) + "-"
	login := s.Options(prefix)
	login.APIKey = s.NewKey(s.Documented(prefix)).Encoded
	return map[string]Options{
		"Elasticsearch":   {Addresses: []string{os.Getenv("GUARDRAILS_TEST_ELASTICSEARCH")}, Prefix: prefix},
		"OpenSearch":      {Addresses: []string{os.Getenv("GUARDRAILS_TEST_OPENSEARCH")}, Prefix: prefix},
		"with an API key": login,
	}
}

func TestAMigrationKeepsEverything(t *testing.T) {
	for name, o := range targets(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			old := openOld(t, o)
			// When the migration copies the index, searches do not see the new documents yet.
			for _, index := range []string{auditIndex, stateIndex} {
				slowDown(t, old, index)
			}
			fillOld(t, old)
			before := dumped(t, old)
			if _, err := old.Append(
				t.Context(), "b", store.Entry{ID: "late", Kind: store.KindDecision, Event: "tool_call"},
			); err != nil {
				t.Fatal(err)
			}

			fresh := openOld(t, o)
			if err := fresh.prepare(t.Context(), next()); err != nil {
				t.Fatal(err)
			}
			if after := dumped(t, fresh); after != before {
				t.Errorf("got  %s\nwant %s", after, before)
			}
			if late, err := fresh.Query(t.Context(), "b", store.AuditQuery{}); err != nil || late.Total != 1 {
				t.Errorf("got %d of the last entry before the copy, want 1 (%v)", late.Total, err)
			}
			if _, err := fresh.Create(
				t.Context(), store.Write{ID: "after-migration", Tenant: "a", Actor: "ann"}, anyGuideline("after"),
			); err != nil {
				t.Error(err)
			}
			if name, version, err := fresh.lookup(
				t.Context(), fresh.indices.name(configIndex),
			); err != nil || version != 2 || !strings.HasSuffix(name, "-v2") {
				t.Errorf("the alias is on %s with version %d, %v", name, version, err)
			}
			// Migrating again changes nothing.
			if err := fresh.prepare(t.Context(), next()); err != nil {
				t.Error(err)
			}
			if s, err := Open(t.Context(), o); store.CodeOf(err) != store.Unavailable ||
				!strings.Contains(err.Error(), "newer version") {
				t.Errorf("the older program opened the index: %v, %v", s, err)
			}
		})
	}
}

// Before the interruption, the migration has made the old index read-only and copied a part of it.
func TestAnInterruptedMigrationContinues(t *testing.T) {
	url := os.Getenv("GUARDRAILS_TEST_ELASTICSEARCH")
	o := Options{Addresses: []string{url}, Prefix: strings.ToLower(store.NewID(time.Now())) + "-"}
	s := openOld(t, o)
	fillOld(t, s)
	before := dumped(t, s)
	l := next()[0]
	if err := s.protect(t.Context(), s.versioned(layouts()[0])); err != nil {
		t.Fatal(err)
	}
	if err := s.create(t.Context(), s.target(l)); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Create(
		t.Context(), store.Write{ID: "meanwhile", Tenant: "a", Actor: "ann"}, anyGuideline("two"),
	); store.CodeOf(err) != store.Unavailable || store.ChangedNothing(err) {
		t.Errorf("a write during the migration: %v", err)
	}
	if err := s.prepare(t.Context(), next()); err != nil {
		t.Fatal(err)
	}
	if after := dumped(t, s); after != before {
		t.Errorf("got %s, want %s", after, before)
	}
	if g, err := s.Create(
		t.Context(), store.Write{ID: "meanwhile", Tenant: "a", Actor: "ann"}, anyGuideline("two"),
	); err != nil || g.Version != 1 {
		t.Errorf("repeating the interrupted write: %+v, %v", g, err)
	}
}

func openOld(t *testing.T, o Options) *Store {
	s, err := Open(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		there, _ := s.findIndices(context.Background())
		var names []string
		for _, of := range there {
			names = append(names, of...)
		}
		yes := true
		_ = s.client.Do(context.Background(), func() esapi.Request {
			return esapi.IndicesDeleteRequest{Index: names, IgnoreUnavailable: &yes}
		}, nil)
		s.Close()
	})
	return s
}

// slowDown makes new documents visible to searches only after a long time.
func slowDown(t *testing.T, s *Store, index string) {
	if err := s.client.Do(t.Context(), func() esapi.Request {
		return esapi.IndicesPutSettingsRequest{
			Index: []string{s.indices.name(index)}, Body: strings.NewReader(`{"index.refresh_interval": "60s"}`),
		}
	}, nil); err != nil {
		t.Fatal(err)
	}
}

func fillOld(t *testing.T, s *Store) {
	for i := range 3 {
		g, err := s.Create(
			t.Context(), store.Write{ID: store.NewID(time.Now()), Tenant: "a", Actor: "ann"},
			anyGuideline("one"+strings.Repeat("x", i)),
		)
		if err == nil {
			_, err = s.Toggle(
				t.Context(), store.Write{ID: store.NewID(time.Now()), Tenant: "a", Actor: "ann"}, store.Ref{Key: g.ID, Version: 1},
			)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

func dumped(t *testing.T, s *Store) string {
	var out []string
	for r, err := range s.Dump(t.Context(), "a") {
		if err != nil {
			t.Fatal(err)
		}
		line, err := store.EncodeRecord(r)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, string(line))
	}
	return strings.Join(out, "\n")
}

func anyGuideline(id string) guideline.Guideline {
	return guideline.Guideline{
		ID: id, Name: id, Category: guideline.Custom, Action: guideline.Action{Type: guideline.Instruction},
		Metadata: map[string]any{"weight": 1.5, "": "odd", "a..b": []any{}},
	}
}

// When the audit is split, a running program of an earlier version can no longer use the store (see
// isRefusedEverything), so it tries to open the store again. A program of the earlier version that starts later also
// tries to open the store. Each of these programs must get the error for programs that are too old.
func TestAProgramThatKnowsNoSegmentsIsRefused(t *testing.T) {
	for name, o := range targets(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := openOld(t, o)
			refusesEarlier := func() {
				t.Helper()
				earlier := &Store{client: s.client, indices: indices{prefix: o.Prefix}}
				_, err := earlier.checkComplete(t.Context(), layouts())
				for _, l := range layouts() {
					err = errors.Join(err, earlier.prepareIndex(t.Context(), earlier.target(l)))
				}
				if store.CodeOf(err) != store.Unavailable || !strings.Contains(err.Error(), "newer version 2, not 1; update this program") {
					t.Errorf("got %v", err)
				}
			}
			refusesEarlier()
			if err := s.Join(t.Context()); err != nil {
				t.Fatal(err)
			}
			joined := openOld(t, o)
			if err := joined.Split(t.Context()); err != nil {
				t.Fatal(err)
			}
			refusesEarlier()
		})
	}
}
