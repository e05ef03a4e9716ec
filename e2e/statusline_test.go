//go:build e2e

package e2e

import (
	"testing"

	"guardrails/setup/claude/fakemodel"
)

func TestTheStatusLineShowsWhetherTheGuardIsOn(t *testing.T) {
	t.Parallel()
	inBothWays(t, func(s *stage) {
		// These are the user's own settings. The settings of the project apply, too.
		s.json(".claude/settings.local.json", map[string]any{
			"statusLine": map[string]any{"type": "command", "command": s.bin + "/guardrails statusline"},
		})
		client := s.terminal(fakemodel.Use(fakemodel.Write(s.path("locked/a.txt"), "x").Named("denied")), fakemodel.Say("I am done."))
		client.shows("guardrails ready")
		client.typePrompt("write it", "I am done.")
		client.shows("guardrails on · ")
		client.shows("denied nobody-writes-locked just now")
	})
}
