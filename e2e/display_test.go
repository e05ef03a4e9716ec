//go:build e2e

package e2e

import (
	"strings"
	"testing"

	"guardrails/setup/claude/fakemodel"
)

const masksTheScreen = "packs: [core]\ndisplay: {mask: on}\n"

func TestPersonalDataIsMaskedOnTheScreenOnly(t *testing.T) {
	t.Parallel()
	forEachClient(t, func(s *stage) {
		s.file(".claude/guardrails.yaml", masksTheScreen)
		s.command(s.bin+"/guardrails", "init")
		const said, shown = "Write to anna@firma.de about it.", "Write to [REDACTED-EMAIL] about it."
		_, transcript := s.headless(fakemodel.Say(said))
		if transcript.Result.Text != shown {
			t.Errorf("the result is %q", transcript.Result.Text)
		}
		list, _ := s.doctor()
		if fired, missed := canaries(list); fired != every+", a masked line" {
			t.Errorf("NOT FIRED: %s", missed)
		}
		s.file(".claude/guardrails.yaml", strings.Replace(masksTheScreen, "on", "off", 1))
		if out := s.command(s.bin+"/guardrails", "init"); !strings.Contains(out, "MessageDisplay: removes") {
			t.Errorf("%s", out)
		}
		if _, transcript = s.headless(fakemodel.Say(said)); transcript.Result.Text != said {
			t.Errorf("the result is %q", transcript.Result.Text)
		}
	})
}
