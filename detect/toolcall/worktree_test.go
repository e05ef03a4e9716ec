package toolcall

import (
	"slices"
	"strings"
	"testing"

	"guardrails/detect/effect"
	"guardrails/detect/toolcall/trace"
)

// inOtherTrees does the same as Env.Worktree for a project with three worktrees. It returns the root of the worktree
// that contains a path, or "".
func inOtherTrees(path string) string {
	for _, root := range []string{"/home/dev/project/.claude/worktrees/w1", "/home/dev/wt", "/home/dev/project/.wt"} {
		if _, inside := trace.Below(path, root); inside {
			return root
		}
	}
	return ""
}

func TestPathRulesApplyInOtherWorktrees(t *testing.T) {
	for _, c := range []struct {
		command, cwd string
		also, not    []string
		events       []string
	}{
		{command: "echo x > prod/a", cwd: "/home/dev/project/.claude/worktrees/w1", also: []string{"write prod/a", "write .claude/worktrees/w1/prod/a"}},
		{command: "echo x > /home/dev/wt/prod/a", also: []string{"write prod/a", "write ~/wt/prod/a"}, events: []string{"outside_write"}},
		{command: "rm -rf ../wt/prod", also: []string{"delete prod"}, events: []string{"outside_delete", "destructive_op"}},
		{command: "cat ../wt/prod/a", also: []string{"read prod/a"}},
		{command: "echo x > .wt/prod/a", also: []string{"write prod/a"}},
		{command: "git worktree add -b x .new HEAD && echo x > .new/prod/a", also: []string{"write prod/a"}},
		{command: "sed -i s/a/b/ .claude/worktrees/w1/prod/*.json", also: []string{"write prod/*.json"}},
		{command: "cp x .claude/worktrees/w1/contracts/current/a.json", also: []string{"write contracts/current/a.json"}, events: []string{"contract_change"}},
		{command: "echo '{}' > ../wt/.claude/settings.json", events: []string{"guard_tamper", "outside_write"}},
		{command: "rm -rf ../wt/.claude", events: []string{"guard_tamper", "outside_delete", "destructive_op"}},
		{command: "rm -rf .claude/worktrees/w1", not: []string{"delete ."}, events: []string{"destructive_op"}},
		{command: "rm -rf .claude/worktrees/w1/*", not: []string{"delete *"}, events: []string{"destructive_op"}},
		{command: "echo x > src/a", not: []string{"write a"}},
		{command: "git add src/a.go && git commit -m x", cwd: "/home/dev/project/.claude/worktrees/w1", events: []string{"commit"}},
	} {
		env := tableEnv()
		env.Worktree = inOtherTrees
		if c.cwd != "" {
			env.Cwd = c.cwd
		}
		got := AnalyzeCommand(env, c.command)
		if events := eventsOf(got, nil); !slices.Equal(events, sorted(c.events)) {
			t.Errorf("%s: events %v, want %v\n%s", c.command, events, sorted(c.events), report(got))
		}
		for _, want := range c.also {
			if !slices.ContainsFunc(got.Effects, func(e effect.Effect) bool { return effectLine(e) == want }) {
				t.Errorf("%s lacks %q\n%s", c.command, want, report(got))
			}
		}
		for _, e := range got.Effects {
			if slices.Contains(c.not, effectLine(e)) {
				t.Errorf("%s has %q", c.command, effectLine(e))
			}
			if e.Has(effect.Commit) && slices.ContainsFunc(e.Related, func(name string) bool { return strings.HasPrefix(name, ".claude/") }) {
				t.Errorf("%s takes in %v", c.command, e.Related)
			}
		}
	}
}
