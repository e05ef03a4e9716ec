package elastic

import (
	"context"
	"errors"
	"slices"

	"guardrails/store"
)

// keepAlive is how long the servers keep a point in time after each search.
const keepAlive = "5m"

// errStopped means that the caller stopped reading.
var errStopped = errors.New("the reader stopped")

// withPIT calls f with a point in time of an index. All searches that use the point in time see the same documents.
func (s *Store) withPIT(ctx context.Context, index string, f func(pit any) error) error {
	id, err := s.client.OpenPIT(ctx, s.indices.name(index), keepAlive)
	if err != nil {
		return err
	}
	// If closing fails, the servers close the point in time themselves after keepAlive.
	defer func() { _ = s.client.ClosePIT(context.WithoutCancel(ctx), id) }()
	return f(tree{"id": id, "keep_alive": keepAlive})
}

// auditSnapshot is the whole audit of a tenant at one moment.
type auditSnapshot struct {
	*journal
	pit any
	// The list "latest" has the heads that were read after the snapshot was taken. The snapshot has no entries after these
	// heads.
	latest []store.Head
}

// withAudit calls f with a snapshot that has all entries up to the heads of the journal.
func (s *Store) withAudit(ctx context.Context, tenant string, f func(a *auditSnapshot) error) error {
	for {
		before, err := s.journalForReaders(ctx, tenant)
		if err != nil {
			return err
		}
		if err := s.refresh(ctx, auditIndex); err != nil {
			return err
		}
		pruned := false
		err = s.withPIT(ctx, auditIndex, func(pit any) error {
			after, err := s.journal(ctx, tenant)
			if err != nil {
				return err
			}
			// Prune changes the journal before it deletes entries. If a pruning has changed the journal in the
			// meantime, the snapshot may lack entries. In that case, take another snapshot.
			if pruned = !slices.Equal(bases(before.Heads), bases(after.Heads)); pruned {
				return nil
			}
			latest := after.Heads
			if after.Pending != nil {
				latest = after.Pending.Heads
			}
			return f(&auditSnapshot{before, pit, latest})
		})
		if !pruned {
			return err
		}
	}
}

func bases(heads []store.Head) []int64 {
	out := make([]int64, len(heads))
	for i := range heads {
		out[i] = heads[i].Base
	}
	return out
}
