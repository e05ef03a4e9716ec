package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"guardrails/store"
)

// pruneBatch is the maximum number of entries that one transaction deletes. The number is small, so that other writers
// do not wait long.
const pruneBatch = 1000

// Prune deletes old decisions. First it records in the audit which decisions it is about to delete. Then it deletes
// these decisions in several small transactions, and makes the file smaller.
func (s *Store) Prune(ctx context.Context, w store.Write, r store.Retention) (deleted int64, err error) {
	if err := errors.Join(w.Validate(), r.Validate()); err != nil {
		return 0, s.failure(ctx, err)
	}
	now := s.now()
	cuts, err := s.findCuts(ctx, w.Tenant, r, now)
	if err != nil || len(cuts) == 0 {
		return 0, err
	}
	if err := s.recordPruning(ctx, store.Planner{Write: w, Now: now}, cuts); err != nil {
		return 0, err
	}
	for i := 0; i < len(cuts) && err == nil; {
		var count int64
		err = s.write(ctx, func(t *tx) error {
			count, err = t.prune(w.Tenant, cuts[i])
			return err
		})
		if deleted += count; count < pruneBatch {
			i++
		}
	}
	if err == nil {
		err = s.shrink(ctx)
	}
	return deleted, err
}

// findCuts finds the last entry to delete in every chain that has old decisions.
func (s *Store) findCuts(
	ctx context.Context, tenant string, r store.Retention, now time.Time,
) (cuts []store.Pruning, err error) {
	err = s.read(ctx, tenant, func(v *view) error {
		before, err := v.keepSince(r)
		if err != nil {
			return err
		}
		_, chains, err := v.heads(tenant)
		for id, chain := range chains {
			cut := store.NewCut(chain.Writer, before, now)
			if chain.Kind == store.KindDecision {
				err = errors.Join(err, v.cut(id, cut))
			}
			if cut.Seq > 0 {
				cuts = append(cuts, cut.Pruning)
			}
		}
		return err
	})
	return cuts, err
}

// keepSince returns the time of the oldest entries to keep. The result is the later of two times: r.Before, and the
// time of the oldest entry among the newest r.Keep entries.
func (v *view) keepSince(r store.Retention) (time.Time, error) {
	if r.Keep == 0 {
		return r.Before, nil
	}
	var at int64
	const find = "SELECT time FROM entry WHERE tenant = ? ORDER BY time DESC LIMIT 1 OFFSET ?"
	err := v.QueryRowContext(v.ctx, find, v.tenant, r.Keep-1).Scan(&at)
	if errors.Is(err, sql.ErrNoRows) {
		return r.Before, nil
	}
	if kept := time.UnixMilli(at); err == nil && kept.After(r.Before) {
		return kept, nil
	}
	return r.Before, err
}

// cut() passes the entries of a chain to c, the oldest first, until c has found the last entry to delete.
func (v *view) cut(chain int64, c *store.Cut) error {
	rows, err := v.QueryContext(v.ctx, "SELECT seq, time, hash FROM entry WHERE chain = ? ORDER BY seq", chain)
	if err != nil {
		return err
	}
	for more := true; more && rows.Next(); {
		var seq, at int64
		var hash string
		if err := rows.Scan(&seq, &at, &hash); err != nil {
			return errors.Join(err, rows.Close())
		}
		more = c.Next(seq, at, hash)
	}
	return errors.Join(rows.Err(), rows.Close())
}

// recordPruning adds an audit entry for each chain that is about to be pruned.
func (s *Store) recordPruning(ctx context.Context, p store.Planner, cuts []store.Pruning) error {
	return s.write(ctx, func(t *tx) error {
		for _, c := range cuts {
			e := p.Prune(c)
			if _, err := t.append([]*store.Entry{&e}); err != nil {
				return err
			}
			if e.Pruning == nil || *e.Pruning != c {
				return store.Reused(p.Write.ID)
			}
		}
		return nil
	})
}

// prune() deletes the oldest entries of a chain, at most pruneBatch. It returns how many it deleted.
func (t *tx) prune(tenant string, c store.Pruning) (count int64, err error) {
	number, err := t.number(tenant)
	if err != nil {
		return 0, err
	}
	var chain, last int64
	var hash string
	const find = "SELECT id FROM chain WHERE tenant = ? AND writer = ? AND kind = ?"
	if err := t.row(find, number, c.Writer, string(store.KindDecision))(&chain); err != nil {
		return 0, err
	}
	const oldest = "SELECT seq, hash, time, event, guideline, session, actor, result, project, agent, mode " +
		"FROM entry WHERE chain = ? AND seq <= ? ORDER BY seq LIMIT ?"
	err = eachRow(t.ctx, t.writer.conn, oldest, []any{chain, c.Seq, pruneBatch}, func(scan func(...any) error) error {
		numbers, at := [fields]int64{fieldAll: number}, int64(0)
		err := scan(
			&last, &hash, &at, &numbers[fieldEvent], &numbers[fieldGuideline], &numbers[fieldSession], &numbers[fieldActor],
			&numbers[fieldResult], &numbers[fieldProject], &numbers[fieldAgent], &numbers[fieldMode],
		)
		t.count(&numbers, at, -1)
		count++
		return err
	})
	if err != nil || count == 0 {
		return 0, err
	}
	if _, err := t.exec("DELETE FROM entry WHERE chain = ? AND seq <= ?", chain, last); err != nil {
		return 0, err
	}
	_, err = t.exec("UPDATE chain SET base = ?, base_hash = ? WHERE id = ?", last, hash, chain)
	return count, err
}
