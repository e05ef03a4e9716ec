package spool_test

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"guardrails/internal/private"
	"guardrails/internal/spool"
)

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func TestRecordsAreSpooledByDay(t *testing.T) {
	state := t.TempDir()
	evening := time.Date(2026, 3, 1, 23, 59, 59, 0, time.UTC)
	morning := time.Date(2026, 3, 2, 3, 0, 0, 0, time.FixedZone("east", 4*3600)) // 23:00 of the day before, in UTC
	for _, at := range []time.Time{evening, morning, evening.Add(time.Second)} {
		must(t, spool.Append(state, at, []byte(`{"a":1}`)))
	}
	if err := spool.Append(state, evening, []byte("{\n}")); !errors.Is(err, private.ErrLine) {
		t.Errorf("got %v", err)
	}
	d, err := private.Open(state + "/spool")
	must(t, err)
	for day, want := range map[string]string{"2026-03-01": "\n{\"a\":1}\n\n{\"a\":1}\n", "2026-03-02": "\n{\"a\":1}\n"} {
		if text, err := d.Read(day+".jsonl", 100); err != nil || string(text) != want {
			t.Errorf("%s: read %q, %v", day, text, err)
		}
	}
}

func TestSpoolWritableByOthersIsRefused(t *testing.T) {
	state := t.TempDir()
	must(t, os.Mkdir(filepath.Join(state, "spool"), 0o700))
	must(t, os.Chmod(filepath.Join(state, "spool"), 0o777))
	if err := spool.Append(state, time.Now(), []byte("{}")); runtime.GOOS != "windows" && err == nil {
		t.Error("the record was written")
	}
}

func BenchmarkAppend(b *testing.B) {
	state, at, record := b.TempDir(), time.Unix(0, 0), bytes.Repeat([]byte("x"), 500)
	for b.Loop() {
		must(b, spool.Append(state, at, record))
	}
}
