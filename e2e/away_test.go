//go:build e2e

package e2e

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"guardrails/setup/claude/fakemodel"
)

// A session and its server start while Elasticsearch is down, so the server has never read the store.
func TestASessionStartsWhileItsElasticsearchIsDown(t *testing.T) {
	t.Parallel()
	for name, way := range map[string]struct {
		goes, comes func(*cluster)
		// The field "cold" is the largest number of hooks that are allowed to time out while the server still opens its
		// store. Each of these hooks times out after half a second.
		cold int
	}{
		"refused": {(*cluster).stop, (*cluster).start, 1},
		"silent":  {(*cluster).silence, (*cluster).speak, 2},
	} {
		t.Run(name, func(t *testing.T) {
			s, c := newStage(t, newest(t)[0]), newCluster(t)
			s.file(".claude/guardrails.yaml", fmt.Sprintf("store: {addresses: [\"http://%s\"], index_prefix: \"e2e-%d-\"}\npacks: [core]\n", c.address, time.Now().UnixNano()))
			cold := s.watchTheCommandLine()
			s.file("vault.yaml", vault)
			s.command(s.bin+"/guardrails", "apply", "-f", "vault.yaml")
			first := s.play(s.intoVault("before"), fakemodel.Say("done"))
			way.goes(c)
			terminal := s.terminal(
				s.intoVault("away"), fakemodel.Say("The first was tried."),
				s.stepOnce(func() { way.comes(c) }, ready, s.intoVault("back")), fakemodel.Say("The second was tried."),
				s.changes(s.intoVault("off"), "toggle", byVault), fakemodel.Say("The third was tried."),
			)
			terminal.typePrompt("try the first", "The first was tried.")
			terminal.shows("How should this session continue?")
			terminal.tellsHowOldTheGuidelinesAre()
			terminal.typePrompt("try the second", "The second was tried.")
			terminal.typePrompt("try the third", "The third was tried.")
			terminal.quitClient()

			s.wantResults(first, map[string]string{"before": byVault})
			s.wantResults(terminal.model, map[string]string{"away": byVault, "back": byVault, "off": ""})
			s.wantFiles(map[string]bool{"vault/before": false, "vault/away": false, "vault/back": false, "vault/off": true})
			if said := s.person("fallback"); !strings.Contains(said, "can read the guidelines") {
				t.Errorf("the outage did not end: %s", said)
			}
			s.waitUntil("an audit that shows the last call", func() bool { return s.hasAudited("off") })
			s.wantAudited(map[string]string{"before": "deny 1", "away": "deny 1", "back": "deny 1", "off": "allow"})
			s.wantChanges("guideline_created", "guideline_disabled")
			const sessions = 2
			if got := cold(); strings.Count(got, "call ") > way.cold+sessions*coldStart {
				t.Errorf("hooks started the command line instead of asking the server:\n%s", got)
			}
		})
	}
}

func (t *terminal) tellsHowOldTheGuidelinesAre() {
	t.s.t.Helper()
	screen, err := t.Screen(t.ctx)
	shown := strings.Join(strings.Fields(screen), " ")
	if err != nil || !strings.Contains(shown, "the last known good guidelines apply (") || !strings.Contains(shown, time.Now().UTC().Format(", read at 2006-01-02 ")) {
		t.s.t.Errorf("the user does not see how old the guidelines are (%v):\n%s", err, screen)
	}
}

// hasAudited reports whether the audit log already contains a call. Elasticsearch may show an entry a second late.
func (s *stage) hasAudited(call string) bool {
	for _, e := range s.audited() {
		if of, is := callOf(e); is && of == call {
			return true
		}
	}
	return false
}
