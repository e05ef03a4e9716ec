//go:build e2e

package e2e

import (
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"guardrails/hooks/wire"
)

// recordedPayloads returns the documents that were recorded for a version of the client. If there are no documents of
// this version, it returns the documents of the newest earlier version, because a new client must still send the fields
// that earlier clients sent.
func recordedPayloads(t *testing.T, folder string) map[string][]byte {
	t.Helper()
	if _, err := os.Stat(folder); err != nil {
		folder = newestRecorded(t)
		t.Logf("nothing is recorded for this version, so it is compared with %s; run make e2e with -update to record it", folder)
	}
	files, err := filepath.Glob(folder + "/*.json")
	if err != nil || len(files) == 0 {
		t.Fatalf("%s is empty (%v)", folder, err)
	}
	found := map[string][]byte{}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		found[filepath.Base(file)] = text
	}
	return found
}

func newestRecorded(t *testing.T) string {
	t.Helper()
	folders, err := filepath.Glob("testdata/payloads/*.*.*")
	if err != nil || len(folders) == 0 {
		t.Fatalf("there are no recorded payloads (%v)", err)
	}
	return slices.MaxFunc(folders, func(a, b string) int { return slices.Compare(numbers(a), numbers(b)) })
}

// numbers() returns the numbers in a version. It pads the numbers, so that sorting them as texts gives the right order.
func numbers(folder string) []string {
	parts := strings.Split(filepath.Base(folder), ".")
	for i, part := range parts {
		parts[i] = strings.Repeat("0", max(0, 8-len(part))) + part
	}
	return parts
}

// usedFields returns the fields that the hooks read in a document, and the names of the arguments of the tool.
func usedFields(t *testing.T, text []byte) []string {
	t.Helper()
	var all map[string]json.RawMessage
	if err := json.Unmarshal(text, &all); err != nil {
		t.Fatal(err)
	}
	whole := understood(t, all)
	var used []string
	for name := range all {
		rest := maps.Clone(all)
		delete(rest, name)
		if !reflect.DeepEqual(understood(t, rest), whole) {
			used = append(used, name)
		}
	}
	var arguments map[string]json.RawMessage
	if all["tool_input"] != nil && json.Unmarshal(all["tool_input"], &arguments) != nil {
		t.Fatalf("tool_input is not an object: %s", text)
	}
	for name := range arguments {
		used = append(used, "tool_input."+name)
	}
	return used
}

func understood(t *testing.T, members map[string]json.RawMessage) wire.Event {
	t.Helper()
	text, err := json.Marshal(members)
	if err != nil {
		t.Fatal(err)
	}
	e, err := wire.Parse(text)
	if err != nil {
		t.Fatalf("the hooks cannot read the document: %v\n%s", err, text)
	}
	return e
}

// missing() returns the items that the first list has and the second list does not have.
func missing(want, have []string) []string {
	slices.Sort(want)
	return slices.DeleteFunc(want, func(name string) bool { return slices.Contains(have, name) })
}
