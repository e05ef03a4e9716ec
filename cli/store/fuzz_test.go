package store

import (
	"strings"
	"testing"
	"time"
)

func FuzzDump(f *testing.F) {
	for _, seed := range []string{
		"", "\n\n", "{}\n", "not a dump", `{"head": {"writer": "w", "kind": "change", "seq": 1, "hash": "x"}}` + "\n" +
			`{"entry": null}`,
		`{"revision": {"guideline": {"id": "a"}}}`, `{"revision": {"guideline": {"id": "a", "name": "A", "category": "custom", "action": {"type": "instruction"}}, "event_type": "x"}}`,
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		ended := false
		for _, err := range records("dump.jsonl", strings.NewReader(text)) {
			if ended {
				t.Fatal("there is more after a problem")
			}
			ended = err != nil
		}
	})
}

func FuzzTime(f *testing.F) {
	for _, seed := range []string{"", "2026-02-28", "2026-02-28T10:00:00Z", "2026-02-30", "0000-01-01", "yesterday"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if at, ok := parseTime(text); !ok && !at.IsZero() || ok && text != "" && at.Location() != time.UTC {
			t.Fatalf("%v, %t", at, ok)
		}
	})
}
