package sqlite

import (
	"context"
	"database/sql"
	"fmt"
	"net/url"
	"path/filepath"
	"strconv"
	"time"

	_ "modernc.org/sqlite" // registers the driver

	"guardrails/store"
)

// maxReaders limits the number of concurrent reads. More concurrent reads would not be faster, because they would wait
// for the disk and the processors.
const maxReaders = 4

// connect() opens the connections and brings the schema up to date.
func (s *Store) connect(ctx context.Context, o Options) error {
	if o.ReadOnly {
		return s.connectReaders(ctx, o)
	}
	db, err := open(s.file.path, o.Busy, "rw", writerSettings()...)
	if err != nil {
		return err
	}
	s.writer = newWriter(db)
	if err := s.writer.connect(ctx); err != nil {
		return err
	}
	if err := s.checkFile(ctx, s.writer.conn); err != nil {
		return err
	}
	if err := prepareSchema(ctx, s.writer.conn, s.file.path, o.Busy); err != nil {
		return err
	}
	wait := fmt.Sprintf("PRAGMA busy_timeout = %d", min(o.Busy, turn).Milliseconds())
	if _, err := s.writer.conn.ExecContext(ctx, wait); err != nil {
		return err
	}
	return s.connectReaders(ctx, o)
}

func (s *Store) connectReaders(ctx context.Context, o Options) error {
	mode := "rw" // readers of a file in WAL mode write their position to the shared memory
	if o.ReadOnly {
		mode = "ro"
	}
	db, err := open(s.file.path, o.Busy, mode, "cache_size(-16000)", "query_only(1)")
	if err != nil {
		return err
	}
	db.SetMaxOpenConns(maxReaders)
	db.SetMaxIdleConns(maxReaders)
	s.readers = db
	return s.checkReaders(ctx)
}

// writerSettings returns the settings of the connection that writes. With the setting FULL, every commit is synced to
// the disk before it is acknowledged.
func writerSettings() []string {
	return []string{
		"synchronous(FULL)", "foreign_keys(1)", "cache_size(-32000)",
		"wal_autocheckpoint(4000)", "journal_size_limit(67108864)",
	}
}

// open() returns a pool of connections with the settings. The settings are passed as pragmas, because the driver
// silently ignores parameters that it does not know.
func open(path string, busy time.Duration, mode string, settings ...string) (*sql.DB, error) {
	timeout := "busy_timeout(" + strconv.FormatInt(busy.Milliseconds(), 10) + ")"
	query := url.Values{"mode": {mode}, "_pragma": append([]string{timeout, "trusted_schema(0)"}, settings...)}
	slashed := filepath.ToSlash(path)
	if slashed[0] != '/' {
		slashed = "/" + slashed
	}
	name := url.URL{Scheme: "file", Path: slashed, RawQuery: query.Encode()}
	return sql.Open("sqlite", name.String())
}

// checkFile returns an error if SQLite did not open the file that secure() checked. This can happen if somebody
// replaces the file with a link after the check.
func (s *Store) checkFile(ctx context.Context, q querier) error {
	var opened string
	if err := q.QueryRowContext(
		ctx, "SELECT file FROM pragma_database_list WHERE name = 'main'",
	).Scan(&opened); err != nil {
		return err
	}
	folder, err := filepath.EvalSymlinks(filepath.Dir(s.file.path))
	if err != nil {
		return cannot("use the folder of", s.file.path, err)
	}
	if want := filepath.Join(folder, filepath.Base(s.file.path)); filepath.Clean(opened) != want {
		return store.Errorf(
			store.Unavailable, "the database %s is a link to %s; use the path of the file itself", want, opened,
		)
	}
	return s.file.intact()
}

// checkReaders checks that the readers read a database with the newest schema.
func (s *Store) checkReaders(ctx context.Context) error {
	if err := s.checkFile(ctx, s.readers); err != nil {
		return err
	}
	version, err := schemaVersion(ctx, s.readers, s.file.path)
	if err == nil && version != newestSchema() {
		err = store.Errorf(store.ReadOnly,
			"the database %s has the older schema %d, not %d, and was opened for reading only; open it once for writing",
			s.file.path, version, newestSchema())
	}
	return err
}

// The type "querier" is a connection, a transaction or a pool.
type querier interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}
