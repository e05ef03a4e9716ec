package lint_test

import (
	"testing"

	"guardrails/rules"
	"guardrails/rules/lint"
)

func TestFindingsNameTheFieldsOfTheShortFormAsTheyAreWritten(t *testing.T) {
	file, problems := rules.Parse("a.yaml", []byte(`
name: Frontend
because: The frontend is in web.
agents: frontend
events:
  - file_write
  - comit
allow: Write(web/**)
deny: [Shell(ls)]
ask: Bash(git push:*)
`))
	if err := problems.Err(); err != nil {
		t.Fatal(err)
	}
	const want = `a.yaml:7: error: frontend: events[1]: no tool call causes "comit"; did you mean "commit"? (unknown-event)
a.yaml:9: error: frontend: deny[0]: "Shell(ls)" names the tool "Shell", which the client does not have; did you mean "Bash"? (never-matches)
`
	if got := lines(lint.Check(&rules.Loaded{Guidelines: file.Guidelines}, lint.Options{})); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}
