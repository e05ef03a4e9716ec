//go:build e2e

package e2e

import (
	"encoding/json"
	"fmt"
	"maps"
	"os/exec"
	"slices"
	"strings"

	"guardrails/store"
)

// audited are the entries of the audit that pass filters, the oldest first.
func (s *stage) audited(filters ...string) []store.Entry {
	s.t.Helper()
	c := exec.Command(s.bin+"/guardrails", append([]string{"audit", "list", "-o", "json", "--page-size", "1000"}, filters...)...)
	c.Dir, c.Env = s.project, s.env()
	out, err := c.Output()
	var page struct {
		Entries []store.Entry `json:"entries"`
	}
	if err == nil {
		err = json.Unmarshal(out, &page)
	}
	if err != nil {
		s.t.Fatalf("guardrails audit list: %v\n%s", err, out)
	}
	slices.Reverse(page.Entries)
	return page.Entries
}

// wantAudited says which decision about each call stands in the audit, once: its result, and of a refusal the version of the
// vault's guideline. What is asked for by its session is the same, and the audit is whole.
func (s *stage) wantAudited(want map[string]string) {
	s.t.Helper()
	got, sessions := map[string]string{}, map[string]bool{}
	for _, e := range s.audited() {
		call, of := callOf(e)
		if !of || want[call] == "" {
			continue
		}
		sessions[e.Session] = true
		// A call that stands there twice is not what is wanted.
		got[call] += e.Decision.Result
		if e.Guideline == byVault {
			got[call] += fmt.Sprintf(" %d", e.Version)
		}
	}
	if !maps.Equal(got, want) {
		s.t.Errorf("the audit has %v, want %v", got, want)
	}
	bySession := 0
	for id := range sessions {
		for _, e := range s.audited("--session", id) {
			if call, of := callOf(e); of && want[call] != "" && e.Session == id {
				bySession++
			}
		}
	}
	if bySession != len(want) {
		s.t.Errorf("%d of %d decisions are found by their sessions %v", bySession, len(want), sessions)
	}
	if said := s.person("audit", "verify"); !strings.HasPrefix(said, "intact") {
		s.t.Errorf("the audit is not whole: %s", said)
	}
}

// callOf is the call that an entry is the decision about.
func callOf(e store.Entry) (string, bool) {
	if e.Event != "decision" || e.Decision == nil || e.Context == nil {
		return "", false
	}
	call, ok := e.Context.Metadata["tool_use_id"].(string)
	return call, ok
}

// wantChanges says which changes of the vault's guideline stand in the audit.
func (s *stage) wantChanges(want ...string) {
	s.t.Helper()
	var got []string
	for _, e := range s.audited("--guideline", byVault) {
		if e.Kind == store.KindChange {
			got = append(got, e.Event)
		}
	}
	if !slices.Equal(got, want) {
		s.t.Errorf("the changes in the audit are %v, want %v", got, want)
	}
}
