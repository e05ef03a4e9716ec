package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"guardrails/store"
)

// The type "writer" is the only connection of a Store that writes.
type writer struct {
	db         *sql.DB
	conn       *sql.Conn
	statements map[string]*sql.Stmt
	numbers    numbers
	// The flag "refused" is set if the last change was refused because the file cannot be changed.
	refused bool
	// The lock in the field "lock" must be held to use the connection.
	lock chan struct{}
}

func newWriter(db *sql.DB) *writer {
	db.SetMaxOpenConns(1)
	return &writer{db: db, statements: map[string]*sql.Stmt{}, lock: make(chan struct{}, 1)}
}

func (w *writer) connect(ctx context.Context) (err error) {
	w.conn, err = w.db.Conn(ctx)
	return err
}

func (w *writer) close() error {
	var errs []error
	for _, s := range w.statements {
		errs = append(errs, s.Close())
	}
	if w.conn != nil {
		errs = append(errs, w.conn.Close())
	}
	return errors.Join(append(errs, w.db.Close())...)
}

// The type "tx" is a transaction that writes.
type tx struct {
	ctx    context.Context
	writer *writer
	store  *Store
	now    time.Time
	// The map newNames has the names that the transaction created. The other maps have the chains and the tallies that the
	// transaction changed.
	newNames map[string]int64
	chains   map[store.Chain]*chain
	tallies  map[tally]int64

	// The flag "applied" is set when a change writes something.
	applied   bool
	committed bool
}

// write() runs f in a transaction and commits it.
func (s *Store) write(ctx context.Context, f func(t *tx) error) error {
	if s.writer == nil {
		return s.readOnly()
	}
	if err := s.calls.Begin(); err != nil {
		return err
	}
	defer s.calls.End()
	select {
	case s.writer.lock <- struct{}{}:
	case <-ctx.Done():
		return store.Crowded(ctx)
	}
	defer func() { <-s.writer.lock }()
	return s.failure(ctx, s.transact(ctx, f))
}

// The constant "turn" is the longest time that SQLite waits for another process. After that, begin() checks whether its
// caller still waits, and lets SQLite wait again.
const turn = 50 * time.Millisecond

// begin() starts a transaction that may write. While another process writes, the method waits at most for the duration
// s.busy. If ctx ends during this time, the method stops waiting soon (see the constant "turn"). The lock of the writer
// must be held.
func (s *Store) begin(ctx context.Context) error {
	statement, err := s.writer.prepared(ctx, "BEGIN IMMEDIATE")
	if err != nil {
		return err
	}
	for started := time.Now(); ctx.Err() == nil; {
		_, err = statement.ExecContext(context.WithoutCancel(ctx))
		if !isBusy(err) || time.Since(started) >= s.busy {
			return err
		}
	}
	return store.Crowded(ctx)
}

func (s *Store) readOnly() error {
	return store.Errorf(store.ReadOnly, "the database %s was opened for reading only, so it cannot be changed", s.file.path)
}

// transact() runs f in a transaction and commits it. The lock of the writer must be held. The end of ctx does not
// interrupt a running transaction. The transaction ends soon anyway, because it does not wait for anything.
func (s *Store) transact(ctx context.Context, f func(t *tx) error) (err error) {
	defer func() { s.writer.refused = store.CodeOf(s.failure(ctx, err)) == store.ReadOnly }()
	if err := s.file.intact(); err != nil {
		return err
	}
	t := &tx{
		ctx: context.WithoutCancel(ctx), writer: s.writer, store: s, now: s.now(),
		newNames: map[string]int64{}, chains: map[store.Chain]*chain{}, tallies: map[tally]int64{},
	}
	if err := s.begin(ctx); err != nil {
		return store.Untouched(s.failure(ctx, err))
	}
	defer t.undo()
	if err := t.checkNumbers(); err != nil {
		return store.Untouched(s.failure(t.ctx, err))
	}
	if err := f(t); err != nil {
		return store.Untouched(s.failure(t.ctx, err))
	}
	if err := t.flush(); err != nil {
		return store.Untouched(s.failure(t.ctx, err))
	}
	if _, err := t.exec("COMMIT"); err != nil {
		return err
	}
	t.committed = true
	s.writer.numbers.add(t.newNames)
	return nil
}

// undo() rolls back a transaction that was not committed. It ignores errors: ROLLBACK fails if SQLite has already
// rolled back.
func (t *tx) undo() {
	if !t.committed {
		_, _ = t.exec("ROLLBACK")
	}
}

// exec() runs a statement. It prepares each statement only once.
func (t *tx) exec(query string, args ...any) (sql.Result, error) {
	s, err := t.writer.prepared(t.ctx, query)
	if err != nil {
		return nil, err
	}
	return s.ExecContext(t.ctx, args...)
}

// row() runs a query that returns at most one row. The returned function copies the columns of the row into its
// arguments.
func (t *tx) row(query string, args ...any) func(into ...any) error {
	s, err := t.writer.prepared(t.ctx, query)
	if err != nil {
		return func(...any) error { return err }
	}
	return s.QueryRowContext(t.ctx, args...).Scan
}

func (w *writer) prepared(ctx context.Context, query string) (*sql.Stmt, error) {
	if s := w.statements[query]; s != nil {
		return s, nil
	}
	s, err := w.conn.PrepareContext(ctx, query)
	if err == nil {
		w.statements[query] = s
	}
	return s, err
}
