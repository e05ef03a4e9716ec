package hooks_test

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"testing"

	"guardrails/store"
)

// The audit can be filtered by every event and every result that a hook records.
func TestEveryRecordedEventAndResultIsAFilterOfTheAudit(t *testing.T) {
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	found := 0
	for pattern, known := range map[string][]string{
		`record\{(?:\s*)kind: "(\w+)"`:            store.AuditEvents(),
		`(?:outcome:|r\.outcome[^"\n]*=) "(\w+)"`: store.AuditResults(),
	} {
		for _, file := range files {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			for _, match := range regexp.MustCompile(pattern).FindAllSubmatch(text, -1) {
				found++
				if name := string(match[1]); !slices.Contains(known, name) {
					t.Errorf("%s records %s, which is not in the list of package store", file, name)
				}
			}
		}
	}
	if found < 20 {
		t.Errorf("found only %d records", found)
	}
}
