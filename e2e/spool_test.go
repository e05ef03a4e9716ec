//go:build e2e

package e2e

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// The tests check these fields of a line in the spool.
type record struct {
	Kind      string `json:"kind"`
	Outcome   string `json:"outcome"`
	Event     string `json:"event"`
	Agent     string `json:"agent"`
	AgentID   string `json:"agent_id"`
	Tool      string `json:"tool"`
	ToolUseID string `json:"tool_use_id"`
	Guideline string `json:"guideline_id"`
	Reason    string `json:"reason"`
	Source    string `json:"source"`
	Calls     int    `json:"calls"`
	Details   string `json:"details"`
}

func (s *stage) spool() []record {
	s.t.Helper()
	files, err := filepath.Glob(s.home + "/.local/state/guardrails/spool/*.jsonl")
	if err != nil {
		s.t.Fatal(err)
	}
	slices.Sort(files)
	var all []record
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			s.t.Fatal(err)
		}
		for line := range strings.Lines(string(text)) {
			if line == "\n" || !strings.HasSuffix(line, "\n") {
				// A hook may still be writing the last line.
				continue
			}
			var r record
			if err := json.Unmarshal([]byte(line), &r); err != nil {
				s.t.Fatalf("%s: %v: %s", file, err, line)
			}
			all = append(all, r)
		}
	}
	return all
}

// recorded() returns the records of one kind about a call. If call is "", it returns the records of this kind about all
// calls.
func (s *stage) recorded(kind, call string) []record {
	s.t.Helper()
	return slices.DeleteFunc(s.spool(), func(r record) bool { return r.Kind != kind || call != "" && r.ToolUseID != call })
}

// wantRecorded checks that there is exactly one record of the given kind about each call, with the wanted outcome.
func (s *stage) wantRecorded(kind string, outcomes map[string]string) {
	s.t.Helper()
	for call, want := range outcomes {
		if got := s.recorded(kind, call); len(got) != 1 || got[0].Outcome != want {
			s.t.Errorf("the %s of %s has the records %+v, want %s once", kind, call, got, want)
		}
	}
}
