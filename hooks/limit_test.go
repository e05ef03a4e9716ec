package hooks_test

import (
	"fmt"
	"sync"
	"testing"

	"guardrails/hooks/wire"
)

const limits = `
guidelines:
  - id: few-files
    name: Small steps
    category: context_constraint
    action: {type: constraint, max_files: 2}
  - id: tests-first
    name: Tests before a commit
    category: tdd_protocol
    action: {type: constraint, require_tests: true}
  - id: reviewed
    name: Reviewed before it leaves
    category: custom
    action: {type: constraint, require_review: true}
`

func TestFilesAreCountedSinceTheLastCommit(t *testing.T) {
	s := newStage(t, limits)
	done := func(path string) {
		t.Helper()
		s.want(s.pre(s.write(path)), "pass")
		s.post(s.write(path))
	}
	done("a.go")
	done("b.go")
	done("a.go")
	s.want(s.pre(s.write("c.go")), "ask", "few-files", "c.go, the 3rd file since the last commit? The limit is 2")
	s.want(s.pre(s.bash("echo x > d.go")), "ask", "few-files")
	s.want(s.pre(s.bash("echo x > /tmp/d.go")), "pass")
	s.post(s.bash("go test ./..."))
	s.commit("git commit -m x", "a.go", "b.go")
	s.want(s.pre(s.write("c.go")), "pass")
}

// commit() runs a command that commits the staged files. The test fails if a guideline objects.
func (s *stage) commit(command string, staged ...string) {
	s.t.Helper()
	s.pending = staged
	s.want(s.pre(s.bash(command)), "pass")
	s.pending, s.head = nil, s.head+"1"
	s.post(s.bash(command))
}

func TestCallsAtTheSameTimeCountEachOther(t *testing.T) {
	s := newStage(t, limits)
	s.prompt("begin")
	outcomes := make([]wire.Outcome, 10)
	var all sync.WaitGroup
	for i := range outcomes {
		e := s.event(wire.PreToolUse, s.write(fmt.Sprintf("f%d.go", i)))
		all.Go(func() { outcomes[i] = enforce(s, e) })
	}
	all.Wait()
	passed := 0
	for _, o := range outcomes {
		if o.Verdict == wire.Pass {
			passed++
		}
	}
	if passed != 2 {
		t.Errorf("%d of 10 writes passed at once, the limit is 2", passed)
	}
}

func TestACommitNeedsATestSinceTheLastChange(t *testing.T) {
	s := newStage(t, limits)
	s.pending = []string{"a.go", "README.md"}
	commit := s.bash("git commit -m x")
	s.want(s.pre(commit), "pass")
	s.post(s.write("a.go"))
	s.want(s.pre(commit), "ask", "tests-first", "No test command has succeeded since a.go was last changed")
	s.want(s.pre(s.bash("go test ./... && git commit -m x")), "pass")
	s.failed(s.bash("go test ./..."))
	s.want(s.pre(commit), "ask", "The tests failed when they last ran, and a.go has changed")
	s.post(with(s.bash("go test ./..."), "tool_use_id", "again"))
	s.want(s.pre(commit), "pass")
	s.post(s.bash("sed -i s/a/b/ a.go"))
	s.want(s.pre(commit), "ask")
	s.post(with(s.bash("go test ./..."), "tool_use_id", "later"))
	s.post(s.write("README.md"))
	s.want(s.pre(commit), "pass")
}

func TestMergesAndPushesToTheDefaultBranchNeedAReview(t *testing.T) {
	s := newStage(t, limits)
	s.want(s.pre(s.bash("git push origin main")), "ask", "reviewed", "push to the default branch needs a review first")
	s.want(s.pre(s.bash("git merge topic")), "ask", "reviewed", "merge needs a review first")
	s.want(s.pre(s.bash("gh pr merge 12 --squash")), "ask", "reviewed")
	for _, command := range []string{
		"git push origin topic", "git fetch", "git pull", "git pull --rebase origin main", "git merge origin/main",
		"git merge --no-ff main", "git merge @{u}", "git merge --continue", "git merge --abort",
	} {
		s.want(s.pre(s.bash(command)), "pass")
	}
}

func TestALimitOfAHigherPriorityDecides(t *testing.T) {
	s := newStage(t, limits+`
  - id: hotfix
    name: A hotfix goes out at once
    category: custom
    priority: 900
    condition: {actions: [fix]}
    action: {type: constraint, require_review: false, max_files: 5}
`)
	s.body.Layers[0].Context.Action = "fix"
	s.want(s.pre(s.bash("git push origin main")), "pass")
	for i := range 5 {
		s.want(s.pre(s.write(fmt.Sprintf("f%d.go", i))), "pass")
	}
	s.want(s.pre(s.write("f5.go")), "ask", "hotfix")
}

// The answer of guardrails_get_context has the stricter value, too.
func TestOfEqualPrioritiesTheStricterLimitDecides(t *testing.T) {
	for _, lax := range []string{"a", "z"} { // the result must not depend on the id
		s := newStage(t, limits+`
  - id: `+lax+`-lax
    name: Larger steps
    category: custom
    action: {type: constraint, require_review: false, require_tests: false, max_files: 9}
`)
		s.want(s.pre(s.bash("git push origin main")), "ask", "reviewed")
		for _, name := range []string{"a.go", "b.go"} {
			s.want(s.pre(s.write(name)), "pass")
			s.post(s.write(name))
		}
		s.want(s.pre(s.write("c.go")), "ask", "few-files")
		s.pending = []string{"a.go"}
		s.want(s.pre(s.bash("git commit -m x")), "ask", "tests-first")
	}
}

func TestACommitIsJudgedByTheFilesThatItContains(t *testing.T) {
	s := newStage(t, "pack:core")
	s.pending = []string{"contracts/current/api.yaml"}
	s.want(s.pre(s.bash("git commit -m x")), "ask", "hitl-gate-protected-path-commit")
	s.pending = []string{"src/a.go"}
	s.want(s.pre(s.bash("git commit -m x")), "pass")
}

func TestGuidelinesAdviseOnATestThatKeepsFailing(t *testing.T) {
	s := newStage(t, "pack:core")
	s.prompt("begin")
	run := s.bash("go test ./...")
	for i := 1; i < 4; i++ {
		fields := with(s.bash("go test ./..."), "tool_use_id", fmt.Sprint(i))
		s.want(s.pre(fields), "pass")
		if o := s.failed(fields); o.Context != "" {
			t.Errorf("after %d failures: %s", i, o.Context)
		}
	}
	s.want(s.failed(run), "pass", "hitl-gate-debugger-escalation", "Stop changing code")
	s.want(s.pre(with(run, "tool_use_id", "next")), "pass", "hitl-gate-debugger-escalation")
	s.post(run)
	if o := s.pre(run); o.Context != "" {
		t.Errorf("after a success: %s", o.Context)
	}
}
