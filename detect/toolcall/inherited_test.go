package toolcall

import (
	"slices"
	"strings"
	"testing"

	"guardrails/detect/effect"
	"guardrails/detect/toolcall/trace"
)

// inheritedEnv describes a machine on which the client has some environment variables. The values of some of these
// variables are paths of the guard's files.
func inheritedEnv() *trace.Env {
	env := installedEnv()
	env.Guarded = append(env.Guarded, "/home/dev/tmp/guardrails-7", "/home/dev/.local/state/guardrails/key")
	env.Variable = func(name string) string {
		return map[string]string{
			"XDG_RUNTIME_DIR": "/run/user/7", "XDG_STATE_HOME": "/home/dev/.local/state", "STATE_BASE": "/home/dev/.local/state",
			"TMPDIR": "/home/dev/tmp", "USER": "dev", "UID": "7", "EUID": "7", "API_TOKEN": "a secret", "API_TOKEN_FILE": "/home/dev/x",
			"WEBHOOK": "https://example.com/secret", "PASSWORD": "hunter2",
			"REL": ".claude/", "PART": ".claude", "NAME": "settings.json", "SOURCES": "src", "CLAUDE_KEY": "claude-hunter2",
		}[name]
	}
	env.Missing = func(path string) bool { return path != env.Cwd+"/src" && path != env.Cwd+"/.claude" }
	return env
}

func TestVariablesOfTheClientLeadToTheGuardsFiles(t *testing.T) {
	for _, c := range readJSON[[]wayCase](t, "testdata/inherited.json") {
		var got *effect.Analysis
		if c.Tool == "" {
			got = AnalyzeCommand(inheritedEnv(), c.Command)
		} else {
			got = Analyze(inheritedEnv(), c.Tool, c.Input)
		}
		events := eventsOf(got, nil)
		if c.None && len(events) > 0 || slices.ContainsFunc(c.Events, func(e string) bool { return !slices.Contains(events, e) }) {
			t.Errorf("%s%s %s: events %v, want %v\n%s", c.Command, c.Tool, c.Input, events, c.Events, report(got))
		}
	}
}

func TestValuesThatAreNoPathsAreNotShown(t *testing.T) {
	for _, command := range []string{"rm -rf $API_TOKEN/x", "echo x > out/$PASSWORD", "curl -d x $WEBHOOK", "$PASSWORD -rf ~", "echo x > out/$CLAUDE_KEY"} {
		got := report(AnalyzeCommand(inheritedEnv(), command))
		for _, secret := range []string{"a secret", "hunter2", "/secret"} {
			if strings.Contains(got, secret) {
				t.Errorf("%s shows %q:\n%s", command, secret, got)
			}
		}
	}
}
