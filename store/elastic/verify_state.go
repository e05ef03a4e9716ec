package elastic

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/elastic/go-elasticsearch/v8/esapi"

	"guardrails/store"
)

// compareWrites finds writes whose results were removed, and a generation that was lowered.
func (s *Store) compareWrites(ctx context.Context, j *journal, c *store.Comparison) error {
	c.Counted(j.Generation, s.writer)
	writes := c.Writes(s.writer)
	ids := make([]string, len(writes))
	for i, id := range writes {
		ids[i] = documentID(kindWritten, j.Tenant, id)
	}
	found, err := s.documents(ctx, stateIndex, ids)
	if err != nil {
		return err
	}
	for i, id := range writes {
		if found[ids[i]] == nil {
			c.Forgotten(id)
		}
	}
	return nil
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
