package tooluse_test

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"guardrails/detect/tooluse"
)

var update = flag.Bool("update", false, "rewrite the golden files")

func TestEventsPageIsCurrent(t *testing.T) {
	const file = "../../docs/events.md"
	var b strings.Builder
	b.WriteString("# Events\n\nWhat a tool call can mean, for `condition.events` of a guideline. This is the whole list; `guardrails events` prints it.\n\n| event | is sent when |\n|---|---|\n")
	for _, e := range tooluse.Events() {
		fmt.Fprintf(&b, "| `%s` | %s |\n", e.Event, e.Meaning)
	}
	if *update {
		if err := os.WriteFile(file, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	have, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if string(have) != b.String() {
		t.Errorf("%s is not current; run go test ./detect/tooluse -update", file)
	}
}

func TestEventsAreNamedOnce(t *testing.T) {
	seen := map[tooluse.Event]bool{}
	for _, e := range tooluse.Events() {
		if seen[e.Event] || e.Meaning == "" {
			t.Errorf("%s stands twice or has no meaning", e.Event)
		}
		seen[e.Event] = true
	}
}
