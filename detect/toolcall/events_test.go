package toolcall_test

import (
	"flag"
	"fmt"
	"strings"
	"testing"

	"guardrails/detect/toolcall"
	"guardrails/internal/golden"
)

var update = flag.Bool("update", false, "rewrite the golden files")

func TestEventsPageIsCurrent(t *testing.T) {
	var b strings.Builder
	b.WriteString("# Events\n\nWhat a tool call can mean, for `condition.events` of a guideline. This is the whole list; `guardrails events` prints it.\n\n| event | is sent when |\n|---|---|\n")
	for _, e := range toolcall.Events() {
		fmt.Fprintf(&b, "| `%s` | %s |\n", e.Event, e.Meaning)
	}
	golden.Check(t, *update, "../../docs/events.md", b.String())
}

func TestEventsAreNamedOnce(t *testing.T) {
	seen := map[toolcall.Event]bool{}
	for _, e := range toolcall.Events() {
		if seen[e.Event] || e.Meaning == "" {
			t.Errorf("%s stands twice or has no meaning", e.Event)
		}
		seen[e.Event] = true
	}
}
