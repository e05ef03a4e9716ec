package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math"
)

// shrinkBatch is the maximum number of pages that one transaction gives back to the file system. The number is small,
// so that other writers do not wait long.
const shrinkBatch = 500

// shrink() makes the file smaller after entries were deleted. A file of an earlier version keeps its size: SQLite can
// make a file smaller only if the file was created with the setting auto_vacuum (see prepareSchema).
func (s *Store) shrink(ctx context.Context) error {
	for before := math.MaxInt; ; {
		left := 0
		err := s.write(ctx, func(t *tx) (err error) {
			left, err = t.shrink()
			return err
		})
		if err != nil || left < shrinkBatch || left >= before {
			return err
		}
		before = left
	}
}

// shrink() gives some pages back to the file system. It returns the number of unused pages that the file had before, or
// 0 if the file cannot be made smaller.
func (t *tx) shrink() (unused int, err error) {
	err = t.row("SELECT freelist_count FROM pragma_freelist_count, pragma_auto_vacuum WHERE auto_vacuum = 2")(&unused)
	if errors.Is(err, sql.ErrNoRows) {
		return 0, nil
	}
	if err == nil && unused > 0 {
		_, err = t.exec(fmt.Sprintf("PRAGMA incremental_vacuum(%d)", shrinkBatch))
	}
	return unused, err
}
