package toolcall_test

import (
	"strings"
	"testing"

	"guardrails/detect/effect"
	"guardrails/detect/toolcall"
	"guardrails/detect/toolcall/trace"
)

// tooLarge returns the reasons of all effects that were added because the call exceeds a limit.
func tooLarge(call *effect.Analysis) []string {
	var out []string
	for _, e := range call.Effects {
		if e.Has(effect.TooLarge) {
			out = append(out, e.Reason)
		}
	}
	return out
}

func TestExceedingALimitIsReportedOnce(t *testing.T) {
	for name, c := range map[string]struct{ command, reason string }{
		"commands":        {"f() { x=1; };" + strings.Repeat("f;", trace.MaxCommands+1), "more than 10,000 commands"},
		"effects":         {strings.Repeat("rm a b c d e f g h;", 1000), "more than 5,000 effects"},
		"nesting":         {strings.Repeat("( ", 151) + "ls" + strings.Repeat(" )", 151), "nests"},
		"scripts inside":  {strings.Repeat("eval ", 40) + "ls", "deeper than 24 levels"},
		"wrappers inside": {strings.Repeat("nice ", 40) + "ls", "deeper than 24 levels"},
		"size":            {"ls " + strings.Repeat("a", trace.MaxCommandSize), "larger than 128 KiB"},
		"functions":       {chainOfFunctions(trace.MaxDepth + 2), "deeper than 24 levels"},
	} {
		t.Run(name, func(t *testing.T) {
			call := toolcall.AnalyzeCommand(nil, c.command)
			reasons := tooLarge(call)
			if len(reasons) != 1 || !strings.Contains(reasons[0], c.reason) {
				t.Errorf("reasons %q, want one with %q", reasons, c.reason)
			}
			if len(call.Effects) > trace.MaxEffects+1 {
				t.Errorf("%d effects", len(call.Effects))
			}
		})
	}
}

func chainOfFunctions(n int) string {
	var b strings.Builder
	for i := range n {
		next := "step" + strings.Repeat("x", i+1)
		if i == n-1 {
			next = "ls"
		}
		b.WriteString("step" + strings.Repeat("x", i) + "() { " + next + "; }; ")
	}
	return b.String() + "step"
}

func TestCallsWithinTheLimitsAreAnalyzedCompletely(t *testing.T) {
	for name, command := range map[string]string{
		"commands":       strings.Repeat(":;", 2000) + "rm -rf /etc",
		"nesting":        strings.Repeat("( ", 100) + "rm -rf /etc" + strings.Repeat(" )", 100),
		"scripts inside": strings.Repeat("eval ", 15) + "rm -rf /etc",
		"functions":      strings.Replace(chainOfFunctions(15), "{ ls;", "{ rm -rf /etc;", 1),
	} {
		t.Run(name, func(t *testing.T) {
			call := toolcall.AnalyzeCommand(nil, command)
			last := call.Effects[len(call.Effects)-1]
			if !last.Has(effect.SystemDelete) || len(tooLarge(call)) > 0 {
				t.Errorf("last effect %+v, over a limit: %q", last, tooLarge(call))
			}
		})
	}
}

// In this test, a function of the Env panics. The analysis must then return an opaque effect, so that a person is
// asked.
func TestPanicOfTheAnalysisAsksAPerson(t *testing.T) {
	env := &toolcall.Env{Root: "/p", Cwd: "/p", Home: "/h", Resolve: func(string) string { panic("out of order") }}
	for name, call := range map[string]*effect.Analysis{
		"a command": toolcall.AnalyzeCommand(env, "cat a.txt"),
		"a tool":    toolcall.Analyze(env, "Write", []byte(`{"file_path":"a.txt","content":""}`)),
	} {
		last := call.Effects[len(call.Effects)-1]
		if last.Kind != effect.Opaque || last.Reason != trace.Failed || !last.Has(effect.OpaqueExecution) {
			t.Errorf("%s: %+v", name, last)
		}
	}
}
