package elastic

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"

	"guardrails/store/elastic/cluster"

	"github.com/elastic/go-elasticsearch/v8/esapi"
)

// The constant "fence" is the name of an index that keeps away programs that do not know segments. In a store whose
// audit is split, the alias stateIndex points to this index. When such a program starts, it finds that the version of
// the index is too new. Split also closes the index, so that the requests of a program that is already running fail.
const (
	fence        = stateIndex + "-moved"
	fenceVersion = 2
)

// The type "found" maps each alias to the names of its indices, and the name of each index to itself.
type found map[string][]string

// findIndices returns the indices whose names begin with the prefix of the store and "guardrails-".
func (s *Store) findIndices(ctx context.Context) (found, error) {
	var answer map[string]struct {
		Aliases map[string]json.RawMessage `json:"aliases"`
	}
	err := s.client.Do(ctx, func() esapi.Request {
		return cluster.RawRequest{Method: http.MethodGet, Path: "/" + s.indices.prefix + "guardrails-*/_alias?expand_wildcards=all"}
	}, &answer)
	out := found{}
	for index, has := range answer {
		out[index] = append(out[index], index)
		for alias := range has.Aliases {
			out[alias] = append(out[alias], index)
		}
	}
	return out, err
}

// split() reports whether the audit of a store is split. The audit of a new store counts as split. The existence of a
// fence does not prove that the audit is split. As long as the alias stateIndex belongs to another index, the fence may
// be left over from an interrupted Split.
func (f found) split(i indices) bool {
	switch state := f[i.prefix+stateIndex]; {
	case len(state) > 0 && state[0] != i.prefix+fence:
		return false // even if a process has just created another segment
	case f[i.prefix+splitStateIndex] != nil || f[i.prefix+segmentsIndex] != nil:
		return true
	case len(state) > 0:
		return state[0] == i.prefix+fence
	default:
		return f[i.prefix+auditIndex] == nil || f[i.prefix+fence] != nil
	}
}

// fence() returns the index that keeps away programs that do not know segments.
func (s *Store) fence() target {
	l := layout{stateIndex, fenceVersion, "1s", stateFields}
	return target{l, s.indices.prefix + fence, []string{s.indices.prefix + stateIndex}}
}

// listSegments writes the first list of segments of a store that has no identity yet.
func (s *Store) listSegments(ctx context.Context, isNew bool) error {
	if !s.indices.split {
		return nil
	}
	list := &segments{Kind: kindSegments}
	first := s.segment(layouts()[1], list.List.add(s.now()))
	if !isNew {
		if err := s.prepareIndex(ctx, first); err != nil {
			return err
		}
	}
	if err := s.writeSegments(ctx, list); err != nil && !cluster.IsRefusal(err, http.StatusConflict) {
		return err
	}
	return nil
}

// createOnce creates an index unless the index exists already.
func (s *Store) createOnce(ctx context.Context, l target, aliases ...string) error {
	err := s.create(ctx, l, aliases...)
	if cluster.IsKind(err, "resource_already_exists_exception") {
		return nil
	}
	return err
}

// prepareSegments checks that all segments exist, migrates segments of an older version, and adds new fields to the
// newest segment. If the fence is missing, prepareSegments creates the fence.
func (s *Store) prepareSegments(ctx context.Context, want []layout, there found) error {
	list, err := s.readSegments(ctx)
	if err != nil {
		return err
	}
	if len(list.List.Segments) == 0 {
		return s.withoutSegments()
	}
	versions, err := s.versions(ctx, s.indices.name(auditIndex))
	if err != nil {
		return err
	}
	newest := list.List.newest().Number
	for _, part := range list.List.Segments {
		of := s.segment(want[1], part.Number)
		if err := s.prepareSegment(ctx, of, versions, part.Number == newest); err != nil {
			return err
		}
	}
	if !s.mayCreate || there[s.indices.prefix+stateIndex] != nil {
		return nil
	}
	return s.prepareIndex(ctx, s.fence())
}

func (s *Store) prepareSegment(ctx context.Context, of target, versions map[string]int, isNewest bool) error {
	if versions[of.name] == of.version && !isNewest {
		return nil
	}
	name, _, err := s.lookup(ctx, of.aliases[0])
	if err == nil && name == "" {
		err = s.lost([]string{of.aliases[0]}, []string{s.indices.name(stateIndex)})
	}
	if err != nil {
		return err
	}
	return s.prepareIndex(ctx, of)
}

// versions() returns the versions of the indices behind an alias.
func (s *Store) versions(ctx context.Context, alias string) (map[string]int, error) {
	var answer map[string]struct {
		Mappings struct {
			Meta struct {
				Version int `json:"version"`
			} `json:"_meta"`
		} `json:"mappings"`
	}
	err := s.client.Do(ctx, func() esapi.Request {
		return esapi.IndicesGetMappingRequest{Index: []string{alias}, FilterPath: []string{"*.mappings._meta"}}
	}, &answer)
	out := map[string]int{}
	for name := range answer {
		out[name] = answer[name].Mappings.Meta.Version
	}
	return out, err
}

// Split divides an audit, which is only one index so far, into segments. To switch to the segments, Split changes only
// aliases, all of them at the same moment. Before the switch, all programs use the one index. After the switch,
// programs that do not know segments are refused. Afterwards, the Store must be opened again. An interrupted Split
// changes nothing that a program can see. Calling Split again completes the work.
func (s *Store) Split(ctx context.Context) error {
	if err := s.calls.Begin(); err != nil {
		return err
	}
	defer s.calls.End()
	return s.failure(ctx, s.splitAudit(ctx))
}

func (s *Store) splitAudit(ctx context.Context) error {
	if s.indices.split {
		return nil
	}
	state, _, err := s.lookup(ctx, s.indices.name(stateIndex))
	if err != nil {
		return err
	}
	if err := s.endJoin(ctx, state); err != nil {
		return err
	}
	first, err := s.firstSegment(ctx)
	if err != nil {
		return err
	}
	if err := errors.Join(s.createOnce(ctx, first, first.aliases[0]), s.closeFence(ctx)); err != nil {
		return err
	}
	if err := s.awaitStarted(ctx, first); err != nil {
		return err
	}
	audit, _, err := s.lookup(ctx, s.indices.name(auditIndex))
	if err != nil {
		return err
	}
	prefix := s.indices.prefix
	return s.changeAliases(ctx, []tree{
		removeAlias(state, prefix+stateIndex), addAlias(state, prefix+splitStateIndex, true),
		addAlias(prefix+fence, prefix+stateIndex, true),
		addAlias(audit, prefix+segmentsIndex, false), addAlias(first.name, prefix+segmentsIndex, false),
	})
}

// firstSegment returns the first segment of an audit that is about to be split, and writes the list of segments.
func (s *Store) firstSegment(ctx context.Context) (target, error) {
	list, err := s.readSegments(ctx)
	if err != nil {
		return target{}, err
	}
	// An interrupted Split leaves one segment in the list.
	if n := len(list.List.Segments); n != 1 {
		list.List.Segments = list.List.Segments[max(0, n-1):]
		if n == 0 {
			list.List.add(s.now())
		}
		if err := s.writeSegments(ctx, list); err != nil {
			return target{}, err
		}
	}
	return s.segment(layouts()[1], list.List.newest().Number), nil
}

// closeFence creates the fence without an alias, and closes it.
func (s *Store) closeFence(ctx context.Context) error {
	l := s.fence()
	if err := s.createOnce(ctx, l); err != nil {
		return err
	}
	return s.client.Do(ctx, func() esapi.Request { return esapi.IndicesCloseRequest{Index: []string{l.name}} }, nil)
}
