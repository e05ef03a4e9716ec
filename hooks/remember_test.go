package hooks_test

import (
	"fmt"
	"strings"
	"testing"

	"guardrails/hooks"
	"guardrails/hooks/wire"
)

const migrations = `
guidelines:
  - id: ask-migrations
    name: Migrations need a person
    category: hitl_gate
    priority: 900
    condition: {paths: ["migrations/*"]}
    action: {type: hitl_gate, gate_type: migrations, gate_threshold: mandatory%s}
  - id: ask-contracts
    name: Contracts need a person
    category: hitl_gate
    priority: 800
    condition: {paths: ["contracts/*"]}
    action: {type: hitl_gate, gate_type: contracts, gate_threshold: mandatory}
`

func remembering(t *testing.T, parameter string) *stage {
	return newStage(t, fmt.Sprintf(migrations, parameter))
}

// agree() makes a call about which a person is asked, and then runs it, as if the person had said yes.
func (s *stage) agree(call map[string]any) {
	s.t.Helper()
	s.want(s.pre(call), "ask")
	s.post(call)
}

func TestAYesToAFolderOutsideTheProjectSaysNothingAboutOthers(t *testing.T) {
	s := newStage(t, `
guidelines:
  - id: outside
    name: Files outside the project
    category: hitl_gate
    priority: 900
    condition: {events: [outside_write]}
    action: {type: hitl_gate, gate_type: outside, gate_threshold: mandatory}
`)
	s.want(s.pre(s.bash("echo x > /data/notes/a.txt")), "ask", "until your next prompt, for files in the same folder.")
	s.agree(s.bash("echo x > /data/notes/a.txt"))
	s.want(s.pre(s.bash("echo x > /data/notes/b.txt")), "pass")
	s.want(s.pre(s.bash("echo x > /data/papers/thesis.txt")), "ask")
	s.want(s.pre(s.bash("echo x > /data/notes/b.txt; echo x > /data/papers/thesis.txt")), "ask")
}

func TestAMigrationTaskAsksOnce(t *testing.T) {
	s := remembering(t, "")
	s.want(s.pre(s.write("migrations/1.sql")), "ask", "A yes to this rule holds until your next prompt.")
	s.agree(s.write("migrations/1.sql"))
	for i := 2; i < 8; i++ {
		s.want(s.pre(s.write(fmt.Sprintf("migrations/%d.sql", i))), "pass")
	}
	s.want(s.pre(s.bash("cat migrations/1.sql")), "pass")
	s.prompt("the next task")
	s.want(s.pre(s.write("migrations/9.sql")), "ask")

	var got []string
	for _, r := range s.records("remember") {
		got = append(got, fmt.Sprint(r["outcome"], " ", r["guideline_id"]))
	}
	want := "turn ask-migrations" + strings.Repeat(", allow ask-migrations", 7)
	if strings.Join(got, ", ") != want {
		t.Errorf("recorded %q", got)
	}
}

func TestAYesIsRememberedOnlyForWhatItWasGivenFor(t *testing.T) {
	prompt := func(text string) func(*stage) { return func(s *stage) { s.prompt(text) } }
	nothing := func(*stage) {}
	for _, c := range []struct {
		name, parameter string
		between         func(*stage)
		next            func(*stage) map[string]any
		want            string
	}{
		{"the same guideline, another file", "", nothing, func(s *stage) map[string]any { return s.write("migrations/2.sql") }, "pass"},
		{"another guideline", "", nothing, func(s *stage) map[string]any { return s.write("contracts/a.json") }, "ask"},
		{"both guidelines in one call", "", nothing, func(s *stage) map[string]any { return s.bash("touch migrations/2.sql contracts/a.json") }, "ask"},
		{"a deletion under the same guideline", "", nothing, func(s *stage) map[string]any { return s.bash("rm -rf migrations/old") }, "ask"},
		{
			"a subagent", "", nothing,
			func(s *stage) map[string]any {
				return with(s.write("migrations/2.sql"), "agent_id", "a1", "agent_type", "backend")
			}, "ask",
		},
		{"another session", "", nothing, func(s *stage) map[string]any { return with(s.write("migrations/2.sql"), "session_id", "s2") }, "ask"},
		{"after a prompt of the client", "", prompt("<task-notification>done"), func(s *stage) map[string]any { return s.write("migrations/2.sql") }, "pass"},
		{"after a prompt of the person", "", prompt("go on"), func(s *stage) map[string]any { return s.write("migrations/2.sql") }, "ask"},
		{"for the call only", ", parameters: {remember: call}", nothing, func(s *stage) map[string]any { return s.write("migrations/2.sql") }, "ask"},
		{"for the session", ", parameters: {remember: session}", prompt("go on"), func(s *stage) map[string]any { return s.write("migrations/2.sql") }, "pass"},
		{
			"for a session that has ended", ", parameters: {remember: session}",
			func(s *stage) { hooks.Stop(s.host, s.event(wire.SessionEnd, nil)) },
			func(s *stage) map[string]any { return s.write("migrations/2.sql") }, "ask",
		},
		{"for a locked guideline", ", parameters: {remember: session}}\n    locked: true\n    metadata: {a: b", nothing, func(s *stage) map[string]any { return s.write("migrations/2.sql") }, "ask"},
		{"for an unknown time", ", parameters: {remember: forever}", nothing, func(s *stage) map[string]any { return s.write("migrations/2.sql") }, "ask"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := remembering(t, c.parameter)
			s.agree(s.write("migrations/1.sql"))
			c.between(s)
			s.want(s.pre(c.next(s)), c.want)
		})
	}
}

func TestWhatASubagentWasAllowedHoldsForThatSubagentAlone(t *testing.T) {
	s := remembering(t, "")
	from := func(agent string) map[string]any {
		return with(s.write("migrations/1.sql"), "agent_id", agent, "agent_type", "backend", "tool_use_id", "t-"+agent)
	}
	s.agree(from("a1"))
	s.want(s.pre(from("a1")), "pass")
	s.want(s.pre(from("a2")), "ask")
	s.want(s.pre(s.write("migrations/1.sql")), "ask")
}

func TestANoIsNotAYes(t *testing.T) {
	s := remembering(t, ", parameters: {remember: session}")
	s.want(s.pre(s.write("migrations/1.sql")), "ask")
	s.prompt("no, do not")
	s.want(s.pre(s.write("migrations/2.sql")), "ask")
	s.post(s.write("docs/a.md"))
	s.want(s.pre(s.write("migrations/3.sql")), "ask")
}

func TestWhatDestroysOrDeploysAsksEveryTime(t *testing.T) {
	s := newStage(t, gate)
	s.agree(with(s.bash("kubectl apply -f x"), "tool_use_id", "t1"))
	s.want(s.pre(with(s.bash("kubectl apply -f x"), "tool_use_id", "t2")), "ask")
	if got := s.records("remember"); len(got) != 0 {
		t.Errorf("recorded %v", got)
	}
}
