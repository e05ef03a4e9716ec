package service_test

import (
	"fmt"
	"strings"
	"testing"

	"guardrails/service"
)

// A project with many guidelines could take so much of a hook's time that the user's guidelines are not checked.
func TestAProjectWithTooManyGuidelinesHasNoneAndTheUsersApply(t *testing.T) {
	small := func(i int) string { return rule(fmt.Sprintf("g%d", i), "action: {type: instruction, instruction: x}") }
	for name, c := range map[string]struct {
		files, guidelines, padding int
		message                    string
	}{
		"ten thousand files": {10_000, 10_000, 0, ".claude/guardrails: has more than 1000 files"},
		"large files":        {3, 3, 400 << 10, ".claude/guardrails: has more than 1 MiB of guidelines"},
		"many guidelines":    {1, 3000, 0, ".claude/guardrails: has more than 2000 guidelines"},
		"few guidelines":     {20, 40, 0, ""},
	} {
		t.Run(name, func(t *testing.T) {
			p := newStoredProject(t, map[string]string{})
			userOf(t, p, false)
			for i := range c.files {
				var text strings.Builder
				for n := range c.guidelines / c.files {
					text.WriteString(small(i*10_000 + n))
				}
				text.WriteString("# " + strings.Repeat("x", c.padding) + "\n")
				p.write(fmt.Sprintf(".claude/guardrails/%d.yaml", i), text.String())
			}
			s := p.newService(false)
			for id, call := range stoppedCalls() {
				if d := judged(t, s, p.root, call); !hasFinding(d, id) {
					t.Errorf("%s: %s by %s", id, d.Outcome, d.Guideline())
				}
			}
			notices := strings.Join(getContext(t, s, service.Request{Hook: true}).Notices, "\n")
			if c.message == "" && notices != "" || !strings.Contains(notices, c.message) {
				t.Errorf("the notices are %q, want %q", notices, c.message)
			}
		})
	}
}
