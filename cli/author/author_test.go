package author_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"guardrails/cli/app"
	"guardrails/cli/clitest"
	"guardrails/detect/effect"
	"guardrails/rules"
)

func invoke(t *testing.T, line string) (stdout, stderr string, code app.ExitCode) {
	t.Helper()
	return clitest.New(t, map[string]string{}).Run(line)
}

func TestSchemaWritesTheSchemaOfTheRules(t *testing.T) {
	stdout, _, code := invoke(t, "guardrails schema")
	if code != app.OK || stdout != string(rules.Schema()) {
		t.Errorf("exit %d, %d bytes", code, len(stdout))
	}
}

func TestEveryEventIsListed(t *testing.T) {
	shown, _, _ := invoke(t, "guardrails events")
	encoded, _, _ := invoke(t, "guardrails events -o json")
	var list []effect.EventInfo
	if err := json.Unmarshal([]byte(encoded), &list); err != nil {
		t.Fatal(err)
	}
	if len(list) != len(effect.Events()) {
		t.Errorf("got %d events", len(list))
	}
	for _, e := range effect.Events() {
		if !strings.Contains(shown, string(e.Event)+" ") {
			t.Errorf("%s is not listed", e.Event)
		}
	}
}

// manyValues returns a guideline whose values have more combinations than the command "diff" compares.
func manyValues() string {
	var b strings.Builder
	b.WriteString("id: many\nname: Many values\ncategory: custom\ncondition:\n")
	for _, field := range []string{"agents", "domains", "actions"} {
		b.WriteString("  " + field + ": [a0")
		for i := 1; i < 30; i++ {
			fmt.Fprintf(&b, ", a%d", i)
		}
		b.WriteString("]\n")
	}
	b.WriteString("action: {type: tool_restriction, tools_denied: [Write")
	for i := range 200 {
		fmt.Fprintf(&b, ", Write(src/%d/*)", i)
	}
	b.WriteString("]}\n")
	return b.String()
}

func TestAComparisonHasALimitAndSaysSo(t *testing.T) {
	s := clitest.New(t, map[string]string{"many.yaml": manyValues()})
	stdout, stderr, code := s.Run("guardrails diff many.yaml many.yaml")
	const want = "5000 questions asked (there are more; list the contexts that matter with --contexts), 0 changes in the answers\n"
	if code != app.OK || stdout != want {
		t.Errorf("exit %d: %s%s", code, stdout, stderr)
	}
}

func TestEventsShowsTheSubcommandsOfAProgram(t *testing.T) {
	shown, _, code := invoke(t, "guardrails events --program helm")
	if code != app.OK || !strings.Contains(shown, "publishes") || !strings.Contains(shown, "destructive_op, devops_invocation") {
		t.Errorf("exit %d:\n%s", code, shown)
	}
	if _, complaint, code := invoke(t, "guardrails events --program nosuch"); code == app.OK || !strings.Contains(complaint, "nosuch") {
		t.Errorf("exit %d: %s", code, complaint)
	}
}
