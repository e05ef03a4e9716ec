package intake_test

import (
	"bytes"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"guardrails/internal/spool/intake"
)

// Reading a record needs memory for its text, so the allocated memory shows whether the records were read.
func TestTheSizeOfTheSpoolIsKnownWithoutReadingTheRecords(t *testing.T) {
	const size = 16 << 20
	w := newFixture(t)
	if err := os.MkdirAll(w.spool, 0o700); err != nil {
		t.Fatal(err)
	}
	records := bytes.Repeat([]byte("{\"id\":\"recorded\"}\n"), size/18)
	if err := os.WriteFile(filepath.Join(w.spool, "2026-02-01.jsonl"), records, 0o600); err != nil {
		t.Fatal(err)
	}
	read := allocated(func() {
		if all, err := intake.Waiting([]string{w.spool}); all.Lines != size/18 || err != nil {
			t.Errorf("got %+v, %v", all, err)
		}
	})
	notRead := allocated(func() {
		if got, err := intake.WaitingBytes([]string{w.spool}); got != int64(len(records)) || err != nil {
			t.Errorf("got %d bytes, want %d: %v", got, len(records), err)
		}
	})
	if read < size/2 || notRead > size/16 {
		t.Errorf("%d bytes were allocated to read the records, and %d to know their size", read, notRead)
	}
}

func allocated(f func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}
