package hooks_test

import (
	"testing"
	"time"

	"guardrails/guideline"
	"guardrails/hooks/cache"
)

// testLimit is a guideline that asks about commits of source code that was not tested.
const testLimit = `guidelines:
  - id: tests-first
    name: Tests first
    category: custom
    action: {type: constraint, require_tests: true}
`

// verifying() returns a project whose settings list the given commands as tests.
func verifying(t *testing.T, commands ...string) *stage {
	s := newStage(t, testLimit)
	s.body.Layers[0].TestCommands = commands
	s.pending = []string{"a.go"}
	return s
}

func TestACommandThatSettingsListCountsAsATest(t *testing.T) {
	for _, c := range []struct {
		name, list, command string
		counts              bool
	}{
		{"as it is written", "make verify", "make verify", true},
		{"under a time limit", "make verify", "timeout 60 make verify", true},
		{"with its output in a file", "make verify", "make verify > out.txt 2>&1", true},
		{"with arguments that the list allows", "make verify *", "make verify V=1", true},
		{"with arguments that the list does not name", "make verify", "make verify --help", false},
		{"another command", "make verify", "make build", false},
		{"a command that only names it", "make verify", "echo make verify", false},
		{"cut by a pipe, without a failure in the output", "make verify", "make verify | tail -5", true},
		{"with a failure that does not matter", "make verify", "make verify || true", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := verifying(t, c.list)
			s.post(s.write("a.go"))
			s.want(s.pre(s.bash("git commit -m x")), "ask", "tests-first")
			s.pre(s.bash(c.command))
			s.post(response(s.bash(c.command), ""))
			want := map[bool]string{true: "pass", false: "ask"}[c.counts]
			s.want(s.pre(s.bash("git commit -m x")), want)
			s.post(s.write("a.go"))
			s.want(s.pre(s.bash("git commit -m x")), "ask", "tests-first")
		})
	}
}

func TestATestWhoseResultIsHiddenCountsOnlyIfItsOutputSaysThatItPassed(t *testing.T) {
	for _, c := range []struct{ command, output, want string }{
		{"npm test; true", "", "ask"},
		{"npm test; true", "1) adds: AssertionError", "ask"},
		{"npm test; true", "Tests: 2 failed, 3 passed", "ask"},
		{"npm test; true", "Tests: 3 passed", "pass"},
		{"npm test | tail -3", "at Object.<anonymous> (a.js:3)", "ask"},
		{"go test ./... | tail", "ok  \tshop\t0.1s", "pass"},
		{"pytest -q | tail -1", "12 passed in 0.31s", "pass"},
		{"npm test", "", "pass"},
	} {
		t.Run(c.command+", "+c.output, func(t *testing.T) {
			s := verifying(t)
			s.post(s.write("a.go"))
			s.pre(s.bash(c.command))
			s.post(response(s.bash(c.command), c.output))
			s.want(s.pre(s.bash("git commit -m x")), c.want)
		})
	}
}

func TestAListedTestMayRunLongerThanTheGuidelinesAreKept(t *testing.T) {
	s := verifying(t, "make verify")
	s.post(s.write("a.go"))
	s.pre(s.bash("make verify"))
	s.now = s.now.Add(10 * time.Minute)
	s.post(response(s.bash("make verify"), ""))
	s.want(s.pre(s.bash("git commit -m x")), "pass")
}

func TestAListedTestThatFailsDoesNotCount(t *testing.T) {
	s := verifying(t, "make verify")
	s.post(s.write("a.go"))
	s.pre(s.bash("make verify"))
	s.failed(s.bash("make verify"))
	s.want(s.pre(s.bash("git commit -m x")), "ask", "The tests failed when they last ran")
}

func TestACommitThatDependsOnATestOfTheSameCallPasses(t *testing.T) {
	for command, want := range map[string]string{
		"make verify && git commit -am x":                       "pass",
		"go test ./... && git commit -am x; git status":         "pass",
		"set -e; make verify && git add -A && git commit -qm x": "pass",
		"make verify && (cd src && git commit -am x)":           "pass",
		"make verify; git commit -am x":                         "ask",
		"make verify || git commit -am x":                       "ask",
		"make verify | tail && git commit -am x":                "ask",
		"git commit -am x && make verify":                       "ask",
		"make verify && sed -i s/a/b/ a.go && git commit -am x": "ask",
	} {
		t.Run(command, func(t *testing.T) {
			s := verifying(t, "make verify")
			s.post(s.write("a.go"))
			s.want(s.pre(s.bash(command)), want)
		})
	}
}

// The settings of a project do not change which commands are tests for the guidelines of a user.
func TestATestCommandCountsOnlyForTheGuidelinesOfItsLayer(t *testing.T) {
	for name, c := range map[string]struct {
		users, projects []string
		want            string
	}{
		"listed for both":        {[]string{"./verify"}, []string{"./verify"}, "pass"},
		"listed for the project": {nil, []string{"./verify"}, "ask"},
		"listed for the user":    {[]string{"./verify"}, nil, "ask"},
	} {
		t.Run(name, func(t *testing.T) {
			s := newStage(t, testLimit)
			s.pending = []string{"a.go"}
			own := parsed(t, testLimit)
			own[0].ID = "tests-first-here"
			s.body.Layers[0].TestCommands = c.users
			s.body.Layers = append(s.body.Layers, cache.Layer{
				Guidelines: own, Context: guideline.Context{Agent: "backend"}, TestCommands: c.projects,
			})
			s.post(s.write("a.go"))
			s.pre(s.bash("./verify"))
			s.post(response(s.bash("./verify"), ""))
			s.want(s.pre(s.bash("git commit -m x")), c.want)
			s.want(s.pre(with(s.bash("./verify && git commit -am x"), "tool_use_id", "both")), c.want)
		})
	}
}
