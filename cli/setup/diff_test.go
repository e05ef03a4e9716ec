package setup

import (
	"testing"

	"guardrails/cli/app"
)

func TestADiffIsColouredOnTerminals(t *testing.T) {
	p := app.Printer{Colors: true}
	printDiff(&p, "--- a/f\n+++ b/f\n@@ -1 +1 @@\n-old\r\n+new\n same\n")
	want := "\x1b[1m--- a/f\x1b[0m\n\x1b[1m+++ b/f\x1b[0m\n@@ -1 +1 @@\n\x1b[31m-old\x1b[0m\n\x1b[32m+new\x1b[0m\n same\n"
	if p.String() != want {
		t.Errorf("got %q", p.String())
	}
}
