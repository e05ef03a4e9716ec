package elastic

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"strings"

	"github.com/elastic/go-elasticsearch/v8/esapi"

	"guardrails/store"
	"guardrails/store/elastic/cluster"
)

// The type "target" is an index that a store needs.
type target struct {
	layout
	// The name and the aliases of the index. The first alias belongs to no other index.
	name    string
	aliases []string
}

// targets() returns the indices of a store. The indices of a new store include the first segment of the audit, and the
// fence (see the constant "fence").
func (s *Store) targets(want []layout, isNew bool) (out []target) {
	for _, l := range want {
		out = append(out, s.target(l))
	}
	if isNew && s.indices.split {
		out = append(out, s.segment(want[1], 1), s.fence())
	}
	return out
}

// target() returns the index of a layout.
func (s *Store) target(l layout) target {
	aliases := []string{s.indices.single(l.index)}
	if shared := s.indices.name(l.index); shared != aliases[0] {
		aliases = append(aliases, shared)
	}
	return target{l, s.versioned(l), aliases}
}

// segment() returns the index of a segment of the audit. The parameter l is the layout of the audit.
func (s *Store) segment(l layout, number int) target {
	return target{
		l, fmt.Sprintf("%s-%06d", s.versioned(l), number),
		[]string{s.indices.name(segmentIndex(number)), s.indices.name(auditIndex)},
	}
}

// prepareIndex creates an index, or migrates the existing one.
func (s *Store) prepareIndex(ctx context.Context, l target) error {
	alias := l.aliases[0]
	var lastErr error
	// If another process creates the index first, the next iteration finds that index.
	for range 3 {
		name, version, err := s.lookup(ctx, alias)
		switch {
		case err != nil:
			return err
		case version == l.version:
			return s.addFields(ctx, l.layout, name)
		case version > l.version:
			return store.Errorf(store.Unavailable, "the index %s of %s has the newer version %d, not %d; update this program",
				name, s.client.Address(), version, l.version)
		case name == "":
			err = s.create(ctx, l, l.aliases...)
		default:
			err = s.migrate(ctx, l, name)
		}
		if err != nil && !cluster.IsRefusal(err, http.StatusBadRequest) && !cluster.IsRefusal(err, http.StatusNotFound) {
			return err
		}
		lastErr = err
	}
	return store.Errorf(store.Unavailable,
		"cannot create the index %s of %s; if another index has this name, rename it or use a prefix: %w",
		alias, s.client.Address(), lastErr)
}

// lookup() returns the name and the version of the index that has the given alias. If no index has the alias, the name
// is empty.
func (s *Store) lookup(ctx context.Context, alias string) (name string, version int, err error) {
	var found map[string]json.RawMessage
	err = s.client.Do(ctx, func() esapi.Request { return esapi.IndicesGetAliasRequest{Name: []string{alias}} }, &found)
	if cluster.IsRefusal(err, http.StatusNotFound) {
		return "", 0, nil
	}
	if err != nil {
		return "", 0, err
	}
	if len(found) != 1 {
		return "", 0, store.Errorf(store.Internal,
			"%d indices of %s have the alias %s; remove it from all but the newest one", len(found), s.client.Address(), alias)
	}
	for name = range found {
		version, err = s.version(ctx, name)
	}
	return name, version, err
}

// version() reads the version of an index from its mapping.
func (s *Store) version(ctx context.Context, name string) (int, error) {
	found, err := s.versions(ctx, name)
	if version := found[name]; err != nil || version > 0 {
		return version, err
	}
	return 0, store.Errorf(store.Internal, "the index %s of %s does not belong to guardrails; rename it or use a prefix",
		name, s.client.Address())
}

// create() creates an index with aliases.
func (s *Store) create(ctx context.Context, l target, aliases ...string) error {
	body := l.body()
	if len(aliases) > 0 {
		var list []string
		for _, alias := range aliases {
			list = append(list, fmt.Sprintf(`%q: {"is_write_index": %t}`, alias, l.isWrittenBy(alias)))
		}
		body = fmt.Sprintf(`{"aliases": {%s}, %s`, strings.Join(list, ", "), strings.TrimPrefix(body, "{"))
	}
	return s.client.Do(ctx, func() esapi.Request {
		return esapi.IndicesCreateRequest{Index: l.name, Body: strings.NewReader(body)}
	}, nil)
}

// awaitStarted waits until new indices can be read.
func (s *Store) awaitStarted(ctx context.Context, list ...target) error {
	var names []string
	for _, l := range list {
		names = append(names, l.aliases[0])
	}
	done := true
	return s.client.Do(ctx, func() esapi.Request {
		return esapi.ClusterHealthRequest{
			Index: names, WaitForActiveShards: strconv.Itoa(len(names)), WaitForNoInitializingShards: &done,
			Timeout: s.client.Timeout(),
		}
	}, nil)
}

// isWrittenBy reports whether the index gets the documents that are written with an alias. An alias of several indices
// is never used for writing.
func (l *target) isWrittenBy(alias string) bool { return alias == l.aliases[0] }

func (s *Store) versioned(l layout) string {
	return fmt.Sprintf("%s%s-v%d", s.indices.prefix, l.index, l.version)
}

// identify() reads the writer name of the store's chains. The first process that opens the store chooses the name.
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
	if err := s.listSegments(ctx, isNew); err != nil {
		return err
	}
	proposal, err := json.Marshal(
		map[string]string{"kind": kindIdentity, "writer": "elastic-" + strings.ToLower(s.handle)},
	)
	if err != nil {
		return err
	}
	_, err = s.put(ctx, documentID(kindIdentity), proposal, docState{})
	if err != nil && !cluster.IsRefusal(err, http.StatusConflict) {
		return err
	}
	_, err = s.readIdentity(ctx)
	return err
}

// readIdentity reads the writer name. If the store has no writer name yet, the result "known" is false.
func (s *Store) readIdentity(ctx context.Context) (known bool, err error) {
	var identity struct {
		Writer string `json:"writer"`
	}
	at, err := s.get(ctx, documentID(kindIdentity), &identity)
	s.writer = identity.Writer
	return at != docState{}, err
}
