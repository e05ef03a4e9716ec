package toolcall_test

import (
	"strings"
	"testing"

	"guardrails/detect/effect"
	"guardrails/detect/toolcall"
	"guardrails/internal/fortests/labeledcommands"
)

func TestDangerousCommandsHaveEvents(t *testing.T) {
	env := &toolcall.Env{Root: "/home/dev/code/app", Cwd: "/home/dev/code/app", Home: "/home/dev"}
	misses := labeledcommands.Misses(t, "../..")
	for _, command := range labeledcommands.Commands(t, "../..", "dangerous*.json") {
		call := toolcall.AnalyzeCommand(env, command)
		mustNotFail(t, command, call)
		if _, known := misses[command]; known {
			continue
		}
		events := 0
		for _, e := range call.Effects {
			events += len(e.Events)
		}
		if events == 0 {
			t.Errorf("means nothing: %s", command)
		}
	}
}

func TestEffectsOfEveryLabelledCommandAreWellFormed(t *testing.T) {
	for _, env := range []*toolcall.Env{nil, {Root: "/home/dev/code/app", Cwd: "/home/dev/code/app/src", Home: "/home/dev"}} {
		for _, command := range labeledcommands.Commands(t, "../..", "dangerous*.json", "harmless*.json") {
			call := toolcall.AnalyzeCommand(env, command)
			mustNotFail(t, command, call)
			if !sameJSON(call, toolcall.AnalyzeCommand(env, command)) {
				t.Errorf("two analyses differ: %s", command)
			}
			for _, e := range call.Effects {
				checkEffect(t, command, e)
			}
		}
	}
}

// checkEffect checks that an effect has the fields that its kind needs, and that their values are valid.
func checkEffect(t *testing.T, command string, e effect.Effect) {
	t.Helper()
	if e.Span.Start < 0 || e.Span.End > len(command) || e.Span.Start > e.Span.End {
		t.Errorf("span %v is outside %q", e.Span, command)
	}
	if e.Kind == effect.Opaque && e.Reason == "" {
		t.Errorf("an opaque effect of %q has no reason", command)
	}
	if e.Kind == effect.Run && e.Command == "" {
		t.Errorf("a run of %q names no command", command)
	}
	if strings.Contains(e.Path, "/../") || strings.HasPrefix(e.Path, "../") {
		t.Errorf("the path %s of %q is not cleaned", e.Path, command)
	}
	if strings.Contains(e.Path, "/.home") || strings.Contains(e.Path, "/.project") {
		t.Errorf("the path %s of %q contains a placeholder", e.Path, command)
	}
}
