package sqlite

import (
	"context"
	"database/sql"
	"errors"

	"guardrails/guideline"
	"guardrails/store"
)

// The type "view" is a read transaction for one tenant. All of its queries see the same state of the file.
type view struct {
	*sql.Tx
	store  *Store
	ctx    context.Context
	tenant int64
}

// read() calls f with a view of a tenant. If nothing was ever written to the tenant, the view is empty.
func (s *Store) read(ctx context.Context, tenant string, f func(v *view) error) error {
	if err := s.calls.Begin(); err != nil {
		return err
	}
	defer s.calls.End()
	if err := store.CheckTenant(tenant); err != nil {
		return err
	}
	if err := s.file.intact(); err != nil {
		return err
	}
	return s.failure(ctx, s.withView(ctx, tenant, f))
}

func (s *Store) withView(ctx context.Context, tenant string, f func(v *view) error) error {
	sqlTx, err := s.readers.BeginTx(ctx, &sql.TxOptions{ReadOnly: true})
	if err != nil {
		return err
	}
	defer func() { _ = sqlTx.Rollback() }() // it only reads
	id, known, err := number(ctx, sqlTx, tenant)
	if err != nil {
		return err
	}
	if !known {
		id = -1
	}
	return f(&view{sqlTx, s, ctx, id})
}

// Get returns one guideline.
func (s *Store) Get(ctx context.Context, tenant, key string) (g guideline.Guideline, err error) {
	err = s.read(ctx, tenant, func(v *view) error {
		var body string
		const find = "SELECT r.body FROM guideline g JOIN revision r ON r.row = g.revision WHERE g.tenant = ? AND g.id = ?"
		err := v.QueryRowContext(ctx, find, v.tenant, key).Scan(&body)
		if errors.Is(err, sql.ErrNoRows) {
			return store.NoGuideline(key)
		}
		if err != nil {
			return err
		}
		g, err = s.parse(body)
		return err
	})
	return g, err
}

// All is a method that returns every guideline of a tenant.
func (s *Store) All(ctx context.Context, tenant string) (set store.Set, err error) {
	err = s.read(ctx, tenant, func(v *view) error {
		set, err = v.all(tenant)
		return err
	})
	return set, err
}

func (v *view) all(tenant string) (set store.Set, err error) {
	if set.Moment, err = v.moment(tenant); err != nil {
		return set, err
	}
	const find = "SELECT r.body FROM guideline g JOIN revision r ON r.row = g.revision WHERE g.tenant = ? ORDER BY g.id"
	set.Guidelines, err = v.guidelines(find, v.tenant)
	return set, err
}

func (v *view) generation() (number int64, err error) {
	err = v.QueryRowContext(v.ctx, "SELECT number FROM generation WHERE tenant = ?", v.tenant).Scan(&number)
	if errors.Is(err, sql.ErrNoRows) {
		return 0, nil
	}
	return number, err
}

// guidelines() reads the guidelines whose bodies a query returns.
func (v *view) guidelines(query string, args ...any) ([]guideline.Guideline, error) {
	out := []guideline.Guideline{}
	err := eachRow(v.ctx, v, query, args, func(scan func(...any) error) error {
		var body string
		if err := scan(&body); err != nil {
			return err
		}
		g, err := v.store.parse(body)
		out = append(out, g)
		return err
	})
	return out, err
}

// parse() reads a body and validates it, because other programs may have changed the file.
func (s *Store) parse(body string) (guideline.Guideline, error) {
	g, err := guideline.Parse("", []byte(body))
	if err != nil {
		return g, store.Errorf(store.Internal,
			"the database %s contains an invalid guideline; another program has probably changed the file; restore a backup: %w",
			s.file.path, err)
	}
	return g, nil
}

// eachRow calls f for every row of a query.
func eachRow(ctx context.Context, q querier, query string, args []any, f func(scan func(...any) error) error) error {
	rows, err := q.QueryContext(ctx, query, args...)
	if err != nil {
		return err
	}
	for rows.Next() {
		if err := f(rows.Scan); err != nil {
			return errors.Join(err, rows.Close())
		}
	}
	return errors.Join(rows.Err(), rows.Close())
}
