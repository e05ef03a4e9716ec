package store

import (
	"strings"
	"testing"
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
