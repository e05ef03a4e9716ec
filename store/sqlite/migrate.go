package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	driver "modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"

	"guardrails/store"
)

// prepareSchema migrates the file to the newest schema. Several processes may call it at the same time.
func prepareSchema(ctx context.Context, conn *sql.Conn, path string, timeout time.Duration) error {
	version, err := schemaVersion(ctx, conn, path)
	if err != nil {
		return err
	}
	if version == 0 {
		// SQLite can make a file smaller only if auto_vacuum was set before the first table was created.
		if _, err := conn.ExecContext(ctx, "PRAGMA auto_vacuum = INCREMENTAL"); err != nil {
			return err
		}
	}
	if err := switchToWAL(ctx, conn, timeout); err != nil {
		return err
	}
	if version == newestSchema() {
		return nil
	}
	if _, err := conn.ExecContext(ctx, "BEGIN IMMEDIATE"); err != nil {
		return err
	}
	// The migration of a large audit takes longer than callers wait. If the end of ctx interrupted the migration, every
	// call would begin the migration again, and no call would complete it.
	ctx = context.WithoutCancel(ctx)
	if err := migrate(ctx, conn, path); err != nil {
		_, undone := conn.ExecContext(ctx, "ROLLBACK")
		return errors.Join(err, undone)
	}
	_, err = conn.ExecContext(ctx, "COMMIT")
	return err
}

// migrate() runs the migrations that the file lacks, inside a transaction that the caller has begun. It reads the
// schema version again, because another process may have migrated the file before the transaction began.
func migrate(ctx context.Context, conn *sql.Conn, path string) error {
	version, err := schemaVersion(ctx, conn, path)
	if err != nil {
		return err
	}
	for _, step := range migrations()[version:] {
		if _, err := conn.ExecContext(ctx, step); err != nil {
			return err
		}
	}
	pragmas := fmt.Sprintf("PRAGMA application_id = %d; PRAGMA user_version = %d", applicationID, newestSchema())
	_, err = conn.ExecContext(ctx, pragmas)
	return err
}

// schemaVersion returns the number of the schema of a file. It returns an error if another program or a newer version
// of guardrails wrote the file.
func schemaVersion(ctx context.Context, q querier, path string) (int, error) {
	var version, application, tables int
	const find = "SELECT user_version, application_id, (SELECT count(*) FROM sqlite_schema) " +
		"FROM pragma_user_version, pragma_application_id"
	err := q.QueryRowContext(ctx, find).Scan(&version, &application, &tables)
	switch {
	case err != nil:
		return 0, err
	case version == 0 && application == 0 && tables == 0:
		return 0, nil
	case application != applicationID:
		return 0, store.Errorf(store.Unavailable, "the file %s is a database of another program; use another file", path)
	case version > newestSchema():
		return 0, store.Errorf(store.Unavailable,
			"the database %s was written by a newer version of guardrails (schema %d, this version supports %d); "+
				"update this program",
			path, version, newestSchema())
	}
	return version, nil
}

// switchToWAL sets the journal mode that lets readers and a writer work at the same time. It repeats the attempt while
// another process makes the same switch, because SQLite does not wait in this case.
func switchToWAL(ctx context.Context, conn *sql.Conn, timeout time.Duration) error {
	for deadline := time.Now().Add(timeout); ; {
		var mode string
		err := conn.QueryRowContext(ctx, "PRAGMA journal_mode = WAL").Scan(&mode)
		if err == nil && mode != "wal" {
			return fmt.Errorf("the file system does not allow shared memory (journal mode %s)", mode)
		}
		if !isBusy(err) || time.Now().After(deadline) {
			return err
		}
		select {
		case <-time.After(5 * time.Millisecond):
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

func isBusy(err error) bool {
	var e *driver.Error
	return errors.As(err, &e) && e.Code()&0xff == sqlite3.SQLITE_BUSY
}
