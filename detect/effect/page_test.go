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
	b.WriteString("# Events\n\nAn event says what a tool call means. A guideline names events in `condition.events`. This is the whole list;\n" +
		"`guardrails events` prints it.\n\n| event | is sent when |\n|---|---|\n")
	for _, e := range effect.Events() {
		fmt.Fprintf(&b, "| `%s` | %s |\n", e.Event, e.Meaning)
	}
	golden.Check(t, *update, "../../docs/events.md", b.String())
}
