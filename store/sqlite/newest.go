package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"sync"

	"guardrails/store"
)

// The type "place" is the newest revision of the file at some moment. The revisions of all tenants are in one table, in
// the order of the changes, and no revision is ever removed or altered. So as long as the file still has this revision
// at this row, the file has everything that it had at that moment. If the revision is not at this row, a backup was
// restored into the open file.
type place struct {
	row      int64
	revision string
}

const (
	placeColumns = "SELECT row, json_array(tenant, id, version, at, write_id) FROM revision "
	newestPlace  = placeColumns + "ORDER BY row DESC LIMIT 1"
	placeAt      = placeColumns + "WHERE row = ?"
)

// newestPlace returns the place of the newest revision. It is zero if the file has no revisions.
func (v *view) newestPlace() (place, error) { return v.findPlace(newestPlace) }

// stillHas reports whether the file has the revision of a place.
func (v *view) stillHas(p place) (bool, error) {
	if p.row == 0 {
		return true, nil
	}
	now, err := v.findPlace(placeAt, p.row)
	return now == p, err
}

func (v *view) findPlace(query string, args ...any) (p place, err error) {
	err = v.QueryRowContext(v.ctx, query, args...).Scan(&p.row, &p.revision)
	if errors.Is(err, sql.ErrNoRows) {
		return place{}, nil
	}
	return p, err
}

// The type "newest" has the newest place that a Store has seen in its file.
type newest struct {
	mu   sync.Mutex
	seen place
}

func (p *newest) get() place {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.seen
}

func (p *newest) raise(to place) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if to.row > p.seen.row {
		p.seen = to
	}
}

// readOn calls f with a view of the file, in the same way as read(). It fails with ErrGone if somebody has restored a
// backup into the file since the last call, because generations from before and after a restore cannot be compared.
func (s *Store) readOn(ctx context.Context, f func(v *view) error) error {
	seen := s.newest.get() // the place is read before the view begins, so the view must have this place
	return s.read(ctx, "", func(v *view) error {
		newest, err := v.newestPlace()
		continued := newest == seen
		if err == nil && !continued {
			continued, err = v.stillHas(seen)
		}
		if err != nil {
			return err
		}
		if !continued {
			restored := store.Errorf(store.Unavailable,
				"somebody restored a backup into the database %s while it was in use; try again", s.file.path)
			return restored.CausedBy(store.ErrGone)
		}
		s.newest.raise(newest)
		return f(v)
	})
}
