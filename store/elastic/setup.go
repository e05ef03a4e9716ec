package elastic

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"

	"github.com/elastic/go-elasticsearch/v8/esapi"

	"guardrails/store"
)

// prepareIndex creates the index of a layout, or migrates the existing one.
func (s *Store) prepareIndex(ctx context.Context, l layout) error {
	alias := s.indices.name(l.index)
	var lastErr error
	// If another process creates the index first, the next round finds that index.
	for range 3 {
		name, version, err := s.lookup(ctx, alias)
		switch {
		case err != nil:
			return err
		case version == l.version:
			return s.addFields(ctx, l, name)
		case version > l.version:
			return store.Errorf(store.Unavailable, "the index %s of %s has the newer version %d, not %d; update this program",
				name, s.client.address, version, l.version)
		case name == "":
			err = s.create(ctx, l, alias)
		default:
			err = s.migrate(ctx, l, name)
		}
		if err != nil && !isRefusal(err, http.StatusBadRequest) && !isRefusal(err, http.StatusNotFound) {
			return err
		}
		lastErr = err
	}
	return store.Errorf(store.Unavailable,
		"cannot create the index %s of %s; if another index has this name, rename it or use a prefix: %w",
		alias, s.client.address, lastErr)
}

// lookup returns the name and the version of the index that has an alias. If there is no such index, the name is empty.
func (s *Store) lookup(ctx context.Context, alias string) (name string, version int, err error) {
	var found map[string]json.RawMessage
	err = s.client.do(ctx, func() esapi.Request { return esapi.IndicesGetAliasRequest{Name: []string{alias}} }, &found)
	if isRefusal(err, http.StatusNotFound) {
		return "", 0, nil
	}
	if err != nil {
		return "", 0, err
	}
	if len(found) != 1 {
		return "", 0, store.Errorf(store.Internal,
			"%d indices of %s have the alias %s; remove it from all but the newest one", len(found), s.client.address, alias)
	}
	for name = range found {
		version, err = s.version(ctx, name)
	}
	return name, version, err
}

// version reads the version of an index from its mapping.
func (s *Store) version(ctx context.Context, name string) (int, error) {
	var found map[string]struct {
		Mappings struct {
			Meta struct {
				Version int `json:"version"`
			} `json:"_meta"`
		} `json:"mappings"`
	}
	err := s.client.do(ctx, func() esapi.Request {
		return esapi.IndicesGetMappingRequest{Index: []string{name}}
	}, &found)
	if version := found[name].Mappings.Meta.Version; err != nil || version > 0 {
		return version, err
	}
	return 0, store.Errorf(store.Internal, "the index %s of %s does not belong to guardrails; rename it or use a prefix",
		name, s.client.address)
}

// create creates the index of a layout. If alias is not empty, the index gets this alias.
func (s *Store) create(ctx context.Context, l layout, alias string) error {
	body := l.body()
	if alias != "" {
		body = fmt.Sprintf(`{"aliases": {%q: {"is_write_index": true}}, %s`, alias, strings.TrimPrefix(body, "{"))
	}
	return s.client.do(ctx, func() esapi.Request {
		return esapi.IndicesCreateRequest{Index: s.versioned(l), Body: strings.NewReader(body)}
	}, nil)
}

func (s *Store) versioned(l layout) string {
	return fmt.Sprintf("%s-v%d", s.indices.name(l.index), l.version)
}

// identify reads the writer name of the store's chains. The first process that opens the store chooses the name.
func (s *Store) identify(ctx context.Context, isNew bool) error {
	if !isNew {
		known, err := s.readIdentity(ctx)
		if err != nil || known {
			return err
		}
		if err := s.checkIdentity(ctx); err != nil {
			// Another process may have opened the new store and written to it in the meantime.
			if known, _ := s.readIdentity(ctx); known {
				return nil
			}
			return err
		}
	}
	proposal, err := json.Marshal(
		map[string]string{"kind": kindIdentity, "writer": "elastic-" + strings.ToLower(s.handle)},
	)
	if err != nil {
		return err
	}
	_, err = s.put(ctx, documentID(kindIdentity), proposal, docState{})
	if err != nil && !isRefusal(err, http.StatusConflict) {
		return err
	}
	_, err = s.readIdentity(ctx)
	return err
}

// readIdentity reads the writer name. known is false if the store has none yet.
func (s *Store) readIdentity(ctx context.Context) (known bool, err error) {
	var identity struct {
		Writer string `json:"writer"`
	}
	at, err := s.get(ctx, documentID(kindIdentity), &identity)
	s.writer = identity.Writer
	return at != docState{}, err
}
