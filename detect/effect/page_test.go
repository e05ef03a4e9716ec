package effect_test

import (
	"flag"
	"fmt"
	"strings"
	"testing"

	"guardrails/detect/effect"
	"guardrails/internal/golden"
)

var update = flag.Bool("update", false, "rewrite the golden files")

func TestEventsPageIsCurrent(t *testing.T) {
	var b strings.Builder
	b.WriteString("# Events\n\nWhat a tool call can mean, for `condition.events` of a guideline. This is the whole list; `guardrails events` prints it.\n\n| event | is sent when |\n|---|---|\n")
	for _, e := range effect.Events() {
		fmt.Fprintf(&b, "| `%s` | %s |\n", e.Event, e.Meaning)
	}
	golden.Check(t, *update, "../../docs/events.md", b.String())
}
