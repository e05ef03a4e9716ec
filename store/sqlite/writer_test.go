package sqlite

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"guardrails/guideline"
	"guardrails/store"
)

func opened(t *testing.T) *Store {
	t.Helper()
	s, err := Open(
		t.Context(), Options{Path: filepath.Join(t.TempDir(), "data", "guardrails.db"), Busy: 50 * time.Millisecond},
	)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

func logged(id string) store.Entry {
	return store.Entry{ID: id, Kind: store.KindDecision, Event: "tool_call"}
}

func TestConnectionsHaveTheirSettings(t *testing.T) {
	s := opened(t)
	for _, c := range []struct {
		q             querier
		pragma, value string
	}{
		{s.writer.conn, "synchronous", "2"}, // the value 2 is FULL: a commit is synced before it is acknowledged
		{s.writer.conn, "journal_mode", "wal"},
		{s.writer.conn, "busy_timeout", "50"},
		{s.writer.conn, "foreign_keys", "1"},
		{s.readers, "query_only", "1"},
		{s.readers, "busy_timeout", "50"},
	} {
		var got string
		if err := c.q.QueryRowContext(t.Context(), "PRAGMA "+c.pragma).Scan(&got); err != nil || got != c.value {
			t.Errorf("%s is %s, want %s (%v)", c.pragma, got, c.value, err)
		}
	}
}

// A limit on the number of pages causes the same error as a full disk.
func TestAFullDiskIsReadOnlyAndLeavesNoPartialChange(t *testing.T) {
	s := opened(t)
	var pages int
	if err := s.writer.conn.QueryRowContext(t.Context(), "PRAGMA page_count").Scan(&pages); err != nil {
		t.Fatal(err)
	}
	limit := func(pages int) {
		if _, err := s.writer.conn.ExecContext(t.Context(), fmt.Sprintf("PRAGMA max_page_count = %d", pages)); err != nil {
			t.Fatal(err)
		}
	}
	limit(pages)
	write, items := store.Write{ID: "write-000", Tenant: "a", Actor: "ann"}, many(200)
	_, err := s.Import(t.Context(), write, items, store.ImportOptions{})
	if store.CodeOf(err) != store.ReadOnly || !strings.Contains(err.Error(), "disk is full; free some space") {
		t.Fatalf("got %v", err)
	}
	if set, err := s.All(t.Context(), "a"); err != nil || len(set.Guidelines) != 0 || set.Generation != 0 {
		t.Errorf("got %d guidelines of generation %d, %v", len(set.Guidelines), set.Generation, err)
	}
	limit(pages + 10_000)
	if result, err := s.Import(t.Context(), write, items, store.ImportOptions{}); err != nil || !result.Applied {
		t.Errorf("with space again: %+v, %v", result.Applied, err)
	}
	if verdicts, err := s.Verify(t.Context(), "a", nil); err != nil || len(verdicts) != 1 || verdicts[0].Fault != nil ||
		verdicts[0].Entries != 200 {
		t.Errorf("got %+v, %v", verdicts, err)
	}
}

func many(count int) []guideline.Guideline {
	items := make([]guideline.Guideline, count)
	for i := range items {
		items[i] = guideline.Guideline{
			ID: fmt.Sprint("g", i), Name: "Many", Category: guideline.Custom, Description: strings.Repeat("word ", 300),
			Action: guideline.Action{Type: guideline.Instruction},
		}
	}
	return items
}

func TestALongWriteOfAnotherProcessIsUnavailable(t *testing.T) {
	s := opened(t)
	other, err := Open(t.Context(), Options{Path: s.file.path, Busy: 20 * time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	if _, err := s.writer.conn.ExecContext(t.Context(), "BEGIN IMMEDIATE"); err != nil {
		t.Fatal(err)
	}
	_, err = other.Append(t.Context(), "a", logged("one"))
	if store.CodeOf(err) != store.Unavailable || !strings.Contains(err.Error(), "is busy") {
		t.Errorf("got %v", err)
	}
	if _, err := other.Query(t.Context(), "a", store.AuditQuery{}); err != nil {
		t.Errorf("reading during the write: %v", err)
	}
	if _, err := s.writer.conn.ExecContext(t.Context(), "ROLLBACK"); err != nil {
		t.Fatal(err)
	}
	if _, err := other.Append(t.Context(), "a", logged("one")); err != nil {
		t.Errorf("after the write: %v", err)
	}
}

func TestAChangeThatWaitsForAnotherProcessEndsWithItsCall(t *testing.T) {
	s := opened(t)
	other, err := Open(t.Context(), Options{Path: s.file.path, Busy: time.Minute})
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	if _, err := s.writer.conn.ExecContext(t.Context(), "BEGIN IMMEDIATE"); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Millisecond)
	defer cancel()
	_, err = other.Create(ctx, store.Write{ID: "0123456789", Tenant: "a", Actor: "ann"}, many(1)[0])
	if store.CodeOf(err) != store.Unavailable || !store.ChangedNothing(err) {
		t.Errorf("got %v", err)
	}
	if _, err := s.writer.conn.ExecContext(t.Context(), "ROLLBACK"); err != nil {
		t.Fatal(err)
	}
	if generation, err := store.GenerationOf(t.Context(), other, "a"); err != nil || generation != 0 {
		t.Errorf("after the call: generation %d, %v", generation, err)
	}
}

// Appends that arrive during a transaction wait until the transaction ends. Then the first of these appends writes its
// own entries and the entries of the others.
func TestWaitingAppendsShareOneTransaction(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := opened(t)
		const callers = 30
		done := make(chan error, callers)
		s.writer.lock <- struct{}{}
		for i := range callers {
			go func() {
				_, err := s.Append(t.Context(), "a", logged(fmt.Sprint("e", i)))
				done <- err
			}()
		}
		synctest.Wait() // wait until all appends wait for the lock
		// Each transaction updates the head of the chain once.
		if _, err := s.writer.conn.ExecContext(
			t.Context(),
			`CREATE TEMP TABLE moved (seq); CREATE TEMP TRIGGER moving AFTER UPDATE ON main.chain BEGIN INSERT INTO moved VALUES (new.seq); END`,
		); err != nil {
			t.Fatal(err)
		}
		<-s.writer.lock
		for range callers {
			if err := <-done; err != nil {
				t.Error(err)
			}
		}
		var transactions, last int
		if err := s.writer.conn.QueryRowContext(
			t.Context(), "SELECT count(*), max(seq) FROM moved",
		).Scan(&transactions, &last); err != nil || transactions != 1 || last != callers {
			t.Errorf("%d transactions up to entry %d, want 1 up to %d (%v)", transactions, last, callers, err)
		}
		if page, err := s.Query(t.Context(), "a", store.AuditQuery{}); err != nil || page.Total != callers {
			t.Errorf("got %d entries, %v", page.Total, err)
		}
	})
}

func TestAnAppendWhoseContextEndsWhileItWaitsIsNotWritten(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := opened(t)
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan error)
		s.writer.lock <- struct{}{}
		go func() {
			_, err := s.Append(ctx, "a", logged("given-up"))
			done <- err
		}()
		synctest.Wait()
		cancel()
		if err := <-done; store.CodeOf(err) != store.Unavailable {
			t.Errorf("got %v", err)
		}
		<-s.writer.lock
		if _, err := s.Append(t.Context(), "a", logged("next")); err != nil {
			t.Fatal(err)
		}
		if page, err := s.Query(t.Context(), "a", store.AuditQuery{}); err != nil || page.Total != 1 {
			t.Errorf("got %d entries, %v", page.Total, err)
		}
	})
}
