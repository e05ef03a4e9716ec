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

// audited() returns the entries that the command "audit list" prints with the given flags. The oldest entry comes
// first.
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

// wantAudited checks that the audit log has exactly one decision about each call, with the wanted result. For a denial,
// it also checks the version of the vault's guideline. It also checks that listing by session gives the same entries,
// and that the log passes verification.
func (s *stage) wantAudited(want map[string]string) {
	s.t.Helper()
	got, sessions := map[string]string{}, map[string]bool{}
	for _, e := range s.audited() {
		call, of := callOf(e)
		if !of || want[call] == "" {
			continue
		}
		sessions[e.Session] = true
		// If a call has two decisions, both results are joined here, so that the test fails.
		got[call] += e.Decision.Result
		if e.Guideline == byVault {
			got[call] += fmt.Sprintf(" %d", e.Version)
		}
	}
	if !maps.Equal(got, want) {
		s.t.Errorf("the audit log has %v, want %v", got, want)
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
		s.t.Errorf("listing by session found %d of %d decisions %v", bySession, len(want), sessions)
	}
	if said := s.person("audit", "verify"); !strings.HasPrefix(said, "intact") {
		s.t.Errorf("the audit log does not verify: %s", said)
	}
}

// callOf returns the id of the tool call that an entry is about.
func callOf(e store.Entry) (string, bool) {
	if e.Event != "decision" || e.Decision == nil || e.Context == nil {
		return "", false
	}
	call, ok := e.Context.Metadata["tool_use_id"].(string)
	return call, ok
}

// wantChanges checks the recorded changes of the vault's guideline.
func (s *stage) wantChanges(want ...string) {
	s.t.Helper()
	var got []string
	for _, e := range s.audited("--guideline", byVault) {
		if e.Kind == store.KindChange {
			got = append(got, e.Event)
		}
	}
	if !slices.Equal(got, want) {
		s.t.Errorf("the audit log has the changes %v, want %v", got, want)
	}
}
