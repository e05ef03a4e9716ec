package toolcall

import (
	"slices"
	"testing"
)

func TestABuildOfTheGuardIsNotTheInstalledGuard(t *testing.T) {
	env := tableEnv()
	env.Guarded = []string{"/home/dev/.local/bin/guardrails", "/home/dev/.local/bin/guardrails-enforce"}
	for command, want := range map[string][]string{
		"go build -o bin/guardrails ./cmd/guardrails":        nil,
		"go build -o bin/ ./cmd/... && rm -f bin/guardrails": nil,
		"go build -o /tmp/x/guardrails ./cmd/guardrails":     nil,
		"go build -o ~/.local/bin/guardrails .":              {"guard_tamper", "outside_write"},
		"rm ~/.local/bin/guardrails-enforce":                 {"guard_tamper", "outside_delete"},
		"echo '{}' > .claude/guardrails.yaml":                {"guard_tamper"},
		"rm -rf \"$dir\"; mv $x/a b; chmod -R 777 $y":        nil,
		"rm -rf /tmp/guardrails-1000":                        {"guard_tamper"},
	} {
		got := AnalyzeCommand(env, command)
		if events := eventsOf(got, []string{"destructive_op", "permission_change"}); !slices.Equal(events, want) {
			t.Errorf("%s: events %v, want %v\n%s", command, events, want, report(got))
		}
	}
	// If the analysis does not know where the guard is installed, the name of a program alone identifies the guard.
	if got := AnalyzeCommand(tableEnv(), "go build -o bin/guardrails ."); len(eventsOf(got, nil)) == 0 {
		t.Error("the name does not count")
	}
}
