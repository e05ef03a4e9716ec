package elastic

import (
	"context"
	"strings"

	"github.com/elastic/go-elasticsearch/v8/esapi"

	"guardrails/store"
)

// checkComplete returns an error if some of the store's indices were lost, so that nobody creates an empty index in
// place of a lost one. A store whose indices have no documents counts as new: another process is creating the store, or
// has failed to create it.
func (s *Store) checkComplete(ctx context.Context, want []layout) (isNew bool, err error) {
	there, missing, err := s.existing(ctx, want)
	switch {
	case err != nil:
		return false, err
	case len(there) == 0 && s.mayCreate:
		return true, nil
	case len(there) == 0:
		return false, store.Missing(
			"%s has no indices of guardrails; restore a snapshot, or create new ones with guardrails init", s.client.Address())
	case len(missing) == 0:
		return false, nil
	}
	empty, err := s.areEmpty(ctx, there)
	if err != nil {
		return false, err
	}
	if empty && s.mayCreate {
		return true, nil
	}
	// Another process may have created the indices in the meantime.
	if _, missing, err = s.existing(ctx, want); err != nil || len(missing) == 0 {
		return false, err
	}
	return false, s.lost(missing, there)
}

func (s *Store) lost(missing, there []string) error {
	is, has := "is", "has"
	if len(missing) > 1 {
		is = "are"
	}
	if len(there) > 1 {
		has = "have"
	}
	return store.Errorf(store.Unavailable,
		"%s %s missing at %s, but %s %s documents; restore all indices of guardrails from one snapshot",
		strings.Join(missing, " and "), is, s.client.Address(), strings.Join(there, " and "), has).CausedBy(store.ErrLost)
}

// existing() returns the aliases of the indices that exist, and the aliases of the indices that do not exist.
func (s *Store) existing(ctx context.Context, want []layout) (there, missing []string, err error) {
	for _, l := range want {
		alias := s.indices.single(l.index)
		name, _, err := s.lookup(ctx, alias)
		switch {
		case err != nil:
			return nil, nil, err
		case name == "":
			missing = append(missing, alias)
		default:
			there = append(there, alias)
		}
	}
	return there, missing, nil
}

// areEmpty reports whether indices have no documents.
func (s *Store) areEmpty(ctx context.Context, names []string) (bool, error) {
	if err := s.client.Do(ctx, func() esapi.Request { return esapi.IndicesRefreshRequest{Index: names} }, nil); err != nil {
		return false, err
	}
	var answer struct {
		Count int `json:"count"`
	}
	err := s.client.Do(ctx, func() esapi.Request { return esapi.CountRequest{Index: names} }, &answer)
	return answer.Count == 0, err
}

// checkIdentity returns an error if the store has guidelines or entries, but no identity. In this case, the state index
// was lost, and an empty index has taken its place.
func (s *Store) checkIdentity(ctx context.Context) error {
	there := []string{s.indices.name(configIndex), s.indices.name(auditIndex)}
	empty, err := s.areEmpty(ctx, there)
	switch {
	case err != nil:
		return err
	case !empty:
		return store.Errorf(store.Unavailable,
			"%s of %s is empty, but %s have documents; restore all indices of guardrails from one snapshot",
			s.indices.name(stateIndex), s.client.Address(), strings.Join(there, " and ")).CausedBy(store.ErrLost)
	case !s.mayCreate:
		return store.Errorf(store.Unavailable,
			"the indices of guardrails at %s are not ready yet; try again, or create them with guardrails init",
			s.client.Address())
	}
	return nil
}
