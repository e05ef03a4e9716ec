package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"testing"

	"guardrails/store"
)

// If the disk fails, SQLite rolls back the whole transaction. The other changes must then run again in a new
// transaction.
func TestAChangeWhoseTransactionEndsLeavesTheOthersWhole(t *testing.T) {
	for name, c := range map[string]struct {
		failure error
		// The field "runs" says how many runs the two good changes need together.
		runs int
	}{
		"the database failed":    {errors.New("disk I/O error"), 3},
		"the change was refused": {store.NoGuideline("a"), 2},
	} {
		t.Run(name, func(t *testing.T) {
			s := opened(t)
			runs := 0
			good := func(text string) *request {
				return &request{ctx: t.Context(), run: func(x *tx) error {
					runs++
					_, err := x.number(text)
					return err
				}}
			}
			bad := &request{ctx: t.Context(), run: func(x *tx) error {
				if mayHaveEnded(c.failure) {
					_, _ = x.exec("ROLLBACK") // like SQLite when the disk fails
				}
				return c.failure
			}}
			requests := []*request{good("first"), bad, good("last")}
			if err := s.makeChanges(requests); err != nil {
				t.Fatal(err)
			}
			if requests[0].err != nil || requests[2].err != nil || !errors.Is(bad.err, c.failure) {
				t.Errorf("got %v, %v and %v", requests[0].err, bad.err, requests[2].err)
			}
			if !s.knows(t.Context(), "first") || !s.knows(t.Context(), "last") {
				t.Error("a change was acknowledged and is missing")
			}
			if runs != c.runs {
				t.Errorf("the good changes ran %d times, want %d", runs, c.runs)
			}
		})
	}
}

// knows() reports whether a text has a number in the database.
func (s *Store) knows(ctx context.Context, text string) bool {
	var id int64
	err := s.readers.QueryRowContext(ctx, findName, text).Scan(&id)
	return !errors.Is(err, sql.ErrNoRows) && err == nil
}
