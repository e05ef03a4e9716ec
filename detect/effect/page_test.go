package effect_test

import (
	"flag"
	"fmt"
	"strings"
	"testing"

	"guardrails/detect/effect"
	"guardrails/internal/fortests/golden"
)

var update = flag.Bool("update", false, "rewrite the golden files")

func TestEventsPageIsCurrent(t *testing.T) {
	var b strings.Builder
	b.WriteString("# Events\n\nAn event names something that a tool call does, such as deleting a file or publishing a package. A guideline\n" +
		"names events in `condition.events`. This table lists all events; `guardrails events` prints the same list.\n\n" +
		"Some events do not describe one tool call. `tool_loop`, `rumination`, `hyperfocus`, `sycophancy` and `pii_found` come\n" +
		"from [detectors](detectors.md#guidelines). `safety_hold`, `safety_blocked`, `output_hold` and `output_blocked` come from\n" +
		"the [safety gate](policies.md#guidelines).\n\n| event | happens when |\n|---|---|\n")
	for _, e := range effect.Events() {
		fmt.Fprintf(&b, "| `%s` | %s |\n", e.Event, e.Meaning)
	}
	golden.Check(t, *update, "../../docs/events.md", b.String())
}
