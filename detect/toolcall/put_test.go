package toolcall

import (
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"

	"guardrails/detect/effect"
)

// TestPutsIntoFolders analyzes each way to put a file at a path, in testdata/puts.txt, with several paths. If the path
// is a folder, the file gets into the folder.
func TestPutsIntoFolders(t *testing.T) {
	text, err := os.ReadFile("testdata/puts.txt")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		if line = strings.TrimSpace(line); strings.HasPrefix(line, "#") {
			continue
		}
		way, onlyFolders := strings.CutPrefix(line, "folder: ")
		for _, folder := range []string{".claude", ".claude/", "../.claude"} {
			if got := put(t, way, folder); !slices.Contains(eventsOf(got, nil), "guard_tamper") {
				t.Errorf("%s: want guard_tamper\n%s", strings.ReplaceAll(way, "TARGET", folder), report(got))
			}
		}
		for _, folder := range []string{"out", "out/"} {
			got := put(t, way, folder)
			if events := eventsOf(got, nil); slices.Contains(events, "guard_tamper") || !writesInto(got, "out") {
				t.Errorf("%s: events %v; want a write in the folder\n%s", strings.ReplaceAll(way, "TARGET", folder), events, report(got))
			}
		}
		if onlyFolders {
			continue
		}
		if got := put(t, way, ".claude/settings.json"); !slices.Contains(eventsOf(got, nil), "guard_tamper") {
			t.Errorf("%s to .claude/settings.json: want guard_tamper\n%s", way, report(got))
		}
		if got := put(t, way, "out/x.json"); slices.Contains(eventsOf(got, nil), "guard_tamper") {
			t.Errorf("%s to out/x.json: want no guard_tamper\n%s", way, report(got))
		}
	}
}

// put() analyzes a way to put a file at the given path.
func put(t *testing.T, way, target string) *effect.Analysis {
	t.Helper()
	way = strings.ReplaceAll(way, "TARGET", target)
	if !strings.HasPrefix(way, "{") {
		return AnalyzeCommand(tableEnv(), way)
	}
	var call struct {
		Tool  string          `json:"tool"`
		Input json.RawMessage `json:"input"`
	}
	if err := json.Unmarshal([]byte(way), &call); err != nil {
		t.Fatalf("%s: %v", way, err)
	}
	return Analyze(tableEnv(), call.Tool, call.Input)
}

// writesInto reports whether a call writes settings.json, or a file whose name is not known, in a folder.
func writesInto(a *effect.Analysis, folder string) bool {
	return slices.ContainsFunc(a.Effects, func(e effect.Effect) bool {
		return e.Kind == effect.Write && (slices.Contains(e.Inside, folder+"/settings.json") ||
			slices.Contains(e.Inside, folder+"/**") || slices.Contains(e.Inside, folder+"/*"))
	})
}
