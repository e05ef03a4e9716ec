package sqlite_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"guardrails/store"
)

func TestTheFileShrinksAfterAPruning(t *testing.T) {
	path := newPath(t)
	s := open(t, path)
	for batch := range 20 {
		var entries []store.Entry
		for i := range 500 {
			entries = append(entries, store.Entry{
				ID: fmt.Sprint(batch, "-", i), Kind: store.KindDecision, Event: "tool_call", Actor: "ann",
				Decision: &store.Decision{Result: "allow", Reason: strings.Repeat("long ", 100)},
			})
		}
		if _, err := s.Append(t.Context(), "a", entries...); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	before := sizeOf(t, path)
	s = open(t, path)
	if deleted, err := s.Prune(t.Context(), newWrite(), store.Retention{Keep: 100}); err != nil || deleted < 9000 {
		t.Fatalf("%d, %v", deleted, err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if after := sizeOf(t, path); after > before/2 {
		t.Errorf("the file had %d bytes, and has %d", before, after)
	}
}

func sizeOf(t *testing.T, path string) int64 {
	t.Helper()
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	return info.Size()
}
