package sqlite

import (
	"context"
	"database/sql"
	"errors"

	"guardrails/store"
)

// Holds checks whether the store has the entries of the given heads. It returns the heads whose entries are missing or
// differ.
func (s *Store) Holds(ctx context.Context, tenant string, heads ...store.Head) (missing []store.Head, err error) {
	err = s.read(ctx, tenant, func(v *view) error {
		for _, h := range heads {
			held, err := v.holds(h)
			if err != nil {
				return err
			}
			if !held {
				missing = append(missing, h)
			}
		}
		return nil
	})
	return missing, err
}

func (v *view) holds(h store.Head) (bool, error) {
	var base int64
	var hash sql.NullString
	const find = "SELECT c.base, (SELECT hash FROM entry WHERE chain = c.id AND seq = ?) FROM chain c " +
		"WHERE c.tenant = ? AND c.writer = ? AND c.kind = ?"
	err := v.QueryRowContext(v.ctx, find, h.Seq, v.tenant, h.Writer, string(h.Kind)).Scan(&base, &hash)
	if errors.Is(err, sql.ErrNoRows) {
		return false, nil
	}
	return hash.String == h.Hash || h.Seq <= base, err
}
