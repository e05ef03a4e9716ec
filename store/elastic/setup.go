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

// establish makes an index of a layout, or brings the one that is there up to date.
func (s *Store) establish(ctx context.Context, l layout) error {
	alias := s.indices.name(l.index)
	var failed error
	// Another process may be doing the same; then the second look finds what it made.
	for range 3 {
		name, version, err := s.lookup(ctx, alias)
		switch {
		case err != nil:
			return err
		case version == l.version:
			return nil
		case version > l.version:
			return store.Errorf(store.Unavailable, "the index %s of %s is of a newer version (%d, not %d); update this program", name, s.client.place, version, l.version)
		case name == "":
			err = s.create(ctx, l, alias)
		default:
			err = s.migrate(ctx, l, name)
		}
		if err != nil && !isRefusal(err, http.StatusBadRequest) && !isRefusal(err, http.StatusNotFound) {
			return err
		}
		failed = err
	}
	return store.Errorf(store.Unavailable, "the index %s of %s cannot be made; if there is one of this name that is not of guardrails, move it away: %w", alias, s.client.place, failed)
}

// lookup finds the index behind an alias, and its version; an empty name when there is none.
func (s *Store) lookup(ctx context.Context, alias string) (name string, version int, err error) {
	var found map[string]json.RawMessage
	err = s.client.ask(ctx, func() esapi.Request { return esapi.IndicesGetAliasRequest{Name: []string{alias}} }, &found)
	if isRefusal(err, http.StatusNotFound) {
		return "", 0, nil
	}
	if err != nil {
		return "", 0, err
	}
	if len(found) != 1 {
		return "", 0, store.Errorf(store.Internal, "%d indices of %s are called %s; leave the alias on the newest one", len(found), s.client.place, alias)
	}
	for name = range found {
		version, err = s.version(ctx, name)
	}
	return name, version, err
}

// version reads the version of an index, which stands in its mapping.
func (s *Store) version(ctx context.Context, name string) (int, error) {
	var found map[string]struct {
		Mappings struct {
			Meta struct {
				Version int `json:"version"`
			} `json:"_meta"`
		} `json:"mappings"`
	}
	err := s.client.ask(ctx, func() esapi.Request { return esapi.IndicesGetMappingRequest{Index: []string{name}} }, &found)
	if version := found[name].Mappings.Meta.Version; err != nil || version > 0 {
		return version, err
	}
	return 0, store.Errorf(store.Internal, "the index %s of %s is not one of guardrails; move it away or use a prefix", name, s.client.place)
}

// create makes an index of the layout's version; with an alias, both come at once.
func (s *Store) create(ctx context.Context, l layout, alias string) error {
	body := l.body()
	if alias != "" {
		body = fmt.Sprintf(`{"aliases": {%q: {"is_write_index": true}}, %s`, alias, strings.TrimPrefix(body, "{"))
	}
	return s.client.ask(ctx, func() esapi.Request {
		return esapi.IndicesCreateRequest{Index: s.versioned(l), Body: strings.NewReader(body)}
	}, nil)
}

func (s *Store) versioned(l layout) string {
	return fmt.Sprintf("%s-v%d", s.indices.name(l.index), l.version)
}

// identify gives the store's chains their name, which the first who opens it makes up.
func (s *Store) identify(ctx context.Context) error {
	id := documentID(kindIdentity)
	proposal, err := json.Marshal(map[string]string{"kind": kindIdentity, "writer": "elastic-" + strings.ToLower(s.handle)})
	if err != nil {
		return err
	}
	if _, err := s.put(ctx, id, proposal, place{}); err != nil && !isRefusal(err, http.StatusConflict) {
		return err
	}
	var identity struct {
		Writer string `json:"writer"`
	}
	if _, err := s.get(ctx, id, &identity); err != nil {
		return err
	}
	s.writer = identity.Writer
	return nil
}
