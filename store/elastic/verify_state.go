package elastic

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"github.com/elastic/go-elasticsearch/v8/esapi"

	"guardrails/store"
)

// compareWrites finds stored results of writes if somebody removed, altered or added these results. It also notices if
// the generation was lowered.
func (s *Store) compareWrites(ctx context.Context, j *journal, c *store.Comparison) error {
	c.Counted(j.Generation, s.writer)
	writes := map[string]string{}
	for _, id := range c.Writes("") {
		writes[documentID(kindWritten, j.Tenant, id)] = id
	}
	found := map[string]bool{}
	err := s.eachResult(ctx, j, func(h *hit) error {
		if id, isKnown := writes[h.ID]; isKnown {
			found[h.ID] = true
			compareResult(c, id, h.Source)
			return nil
		}
		return s.unknownResult(ctx, j, c, h)
	})
	if err != nil {
		return err
	}
	maps.DeleteFunc(writes, func(name, _ string) bool { return found[name] })
	return s.hiddenResults(ctx, c, writes)
}

// eachResult calls f with the document of each result that a search finds.
func (s *Store) eachResult(ctx context.Context, j *journal, f func(h *hit) error) error {
	if err := s.refresh(ctx, stateIndex); err != nil {
		return err
	}
	return s.withPIT(ctx, stateIndex, func(pit any) error {
		q := query{
			PIT: pit, Query: matchAll(term("kind", kindWritten), term("tenant_id", j.Tenant)), Sort: order{}.by("_doc", "asc"),
		}
		return s.eachHit(ctx, q, f)
	})
}

// hiddenResults compares the results that no search finds, for example because somebody altered the tenant in a result.
// The keys of the map "writes" are the names of the results, and the values are the ids of the writes.
func (s *Store) hiddenResults(ctx context.Context, c *store.Comparison, writes map[string]string) error {
	hidden, err := s.documents(ctx, stateIndex, slices.Collect(maps.Keys(writes)))
	if err != nil {
		return err
	}
	for name, id := range writes {
		switch text, exists := hidden[name]; {
		case exists:
			compareResult(c, id, text)
		case c.IsBy(id, s.writer):
			c.Forgotten(id)
		}
	}
	return nil
}

// compareResult compares the document of a result with the revisions of its write.
func compareResult(c *store.Comparison, writeID string, source json.RawMessage) {
	doc := readResult(source)
	c.Result(writeID, doc.Fingerprint, string(doc.Result))
}

// readResult returns the content of a document. The fingerprint of an unreadable document is not a digest.
func readResult(source json.RawMessage) (doc writeResult) {
	if err := json.Unmarshal(source, &doc); err != nil {
		return writeResult{Fingerprint: err.Error()}
	}
	return doc
}

// unknownResult checks the stored result of a write. It is called if this verification knows no revision that the write
// created.
func (s *Store) unknownResult(ctx context.Context, j *journal, c *store.Comparison, h *hit) error {
	doc := readResult(h.Source)
	if c.Explains(h.ID, doc.Fingerprint, string(doc.Result)) {
		return nil
	}
	later, err := s.isLaterResult(ctx, j.Tenant, h.ID, doc.Result)
	if err == nil && !later {
		compareResult(c, h.ID, h.Source)
	}
	return err
}

// isLaterResult reports whether a result belongs to revisions that were written after the journal was read. The
// document of such a revision has the id of the write.
func (s *Store) isLaterResult(ctx context.Context, tenant, name string, result json.RawMessage) (bool, error) {
	var r store.ImportResult
	if err := json.Unmarshal(result, &r); err != nil {
		return false, nil // the result was altered
	}
	for i := range r.Items {
		item := &r.Items[i]
		k, err := s.revision(ctx, tenant, item.Key(), item.Version)
		if err != nil || k == nil || item.Changed() && documentID(kindWritten, tenant, k.WriteID) != name {
			return false, err
		}
	}
	return len(r.Items) > 0, nil
}

// compareIndices finds settings and fields that hide documents, or that make a server change a document before it
// stores or shows it.
func (s *Store) compareIndices(ctx context.Context, tenant string, verdicts *[]store.Verdict) error {
	for _, l := range layouts() {
		why, err := s.meddling(ctx, s.indices.name(l.index))
		if err == nil && why == "" {
			why, err = s.remapping(ctx, l)
		}
		if err != nil {
			return err
		}
		if why != "" {
			head := store.Head{Chain: store.Chain{Tenant: tenant, Kind: store.KindChange}}
			*verdicts = append(*verdicts, store.Verdict{Head: head, Fault: &store.Fault{Damage: store.Altered, Why: why}})
		}
	}
	return nil
}

// meddling() returns the name of an index setting that changes or hides documents, or "".
func (s *Store) meddling(ctx context.Context, alias string) (string, error) {
	var settings map[string]struct {
		Settings map[string]string `json:"settings"`
	}
	flat := true
	if err := s.client.Do(ctx, func() esapi.Request {
		return esapi.IndicesGetSettingsRequest{
			Index: []string{alias}, FlatSettings: &flat,
			Name: []string{"index.default_pipeline", "index.final_pipeline", "index.search.default_pipeline"},
		}
	}, &settings); err != nil {
		return "", err
	}
	for name, index := range settings {
		for key, value := range index.Settings {
			if value != "" && value != "_none" {
				return fmt.Sprintf("the index %s changes documents before it stores or shows them: its setting %s is %s",
					name, key, value), nil
			}
		}
	}
	return s.hiding(ctx, alias)
}

// hiding() returns the reason why searches with an alias do not see all documents, or "".
func (s *Store) hiding(ctx context.Context, alias string) (string, error) {
	var found map[string]struct {
		Aliases map[string]struct {
			Filter  json.RawMessage `json:"filter"`
			Routing string          `json:"search_routing"`
		} `json:"aliases"`
	}
	err := s.client.Do(ctx, func() esapi.Request { return esapi.IndicesGetAliasRequest{Name: []string{alias}} }, &found)
	for name, index := range found {
		if a := index.Aliases[alias]; a.Filter != nil || a.Routing != "" {
			return fmt.Sprintf("the alias %s hides documents of the index %s", alias, name), err
		}
	}
	return "", err
}
