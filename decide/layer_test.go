package decide_test

import (
	"testing"
	"time"

	"guardrails/decide"
	"guardrails/detect/toolcall"
	"guardrails/guideline"
)

// In each row, the higher layer is strict and the lower layer is less strict.
func TestALowerLayerNeverLoosensAHigherOne(t *testing.T) {
	forever := []decide.Exception{{Guideline: "high", Reason: "it is in the way", Expires: time.Unix(1<<40, 0)}}
	for _, c := range []struct {
		name, command string
		high, low     []option
		except        []decide.Exception
		want          decide.Outcome
		by            string
	}{
		{
			"an advisory gate of the same type", "git push",
			[]option{on("push"), asks("g")},
			[]option{on("push"), notes("g")},
			nil, decide.Ask, "high",
		},
		{
			"an allow list that is wider", "echo > a",
			[]option{allows("Write(src/**)")},
			[]option{allows("Write(**)")},
			nil, decide.Deny, "high",
		},
		{
			"an allow list that is narrower", "echo > src/a",
			[]option{allows("Write(src/**)")},
			[]option{allows("Write(docs/**)")},
			nil, decide.Deny, "low",
		},
		{
			"an allow list, where all tools are denied", "ls",
			[]option{denies("*")},
			[]option{allows("Bash")},
			nil, decide.Deny, "high",
		},
		{"an exception", "git push", []option{on("push"), asks("g")}, nil, forever, decide.Ask, "high"},
		{"a higher limit", "echo > a; echo > b", []option{maxFiles(1)}, []option{maxFiles(9)}, nil, decide.Ask, "high"},
		{"a lower limit", "echo > a; echo > b", []option{maxFiles(9)}, []option{maxFiles(1)}, nil, decide.Ask, "low"},
		{
			"a gate for the guard itself", "rm .claude/settings.json", nil,
			[]option{on("guard_tamper"), asks("g"), gate},
			nil, decide.Deny, "self-protection",
		},
		{
			"a denial", "git push",
			[]option{on("push"), notes("g")},
			[]option{denies("Bash(git push:*)")},
			nil, decide.Deny, "low",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			layers := []decide.Layer{
				{Set: compile(t, newGuideline("high", 1, c.high...))},
				{Set: compile(t, newGuideline("low", 1000, c.low...)), Exceptions: c.except},
			}
			d := decide.Judge(layers, toolcall.AnalyzeCommand(&environment, c.command), decide.Facts{})
			if d.Outcome != c.want || d.Guideline() != c.by {
				t.Errorf("%s by %s; want %s by %s", d.Outcome, d.Guideline(), c.want, c.by)
			}
		})
	}
}

func gate(g *guideline.Guideline) { g.Action.Type = guideline.HITLGate }

func TestALayerIsJudgedInItsOwnContext(t *testing.T) {
	forBackend := func(g *guideline.Guideline) { g.Condition.Agents = []string{"backend"} }
	set := compile(t, newGuideline("backend", 1, forBackend, denies("Bash")))
	call := toolcall.AnalyzeCommand(&environment, "ls")
	backend, other := guideline.Context{Agent: "backend"}, guideline.Context{Agent: "other"}
	layers := []decide.Layer{{Set: set, Context: backend}, {Set: compile(t), Context: other}}
	if d := decide.Judge(layers, call, decide.Facts{}); d.Outcome != decide.Deny {
		t.Errorf("in the context of its own layer: %s", d.Outcome)
	}
	layers[0].Context, layers[1].Context = other, backend
	if d := decide.Judge(layers, call, decide.Facts{}); d.Outcome != decide.Allow {
		t.Errorf("in the context of another layer: %s", d.Outcome)
	}
}

func TestWhatIsAllowedInsteadIsDeniedByNoLayer(t *testing.T) {
	layers := []decide.Layer{
		{Set: compile(t, newGuideline("high", 1, denies("Write(docs/**)")))},
		{Set: compile(t, newGuideline("low", 1, allows("Write(src/**)", "Write(docs/**)")))},
	}
	d := decide.Judge(layers, toolcall.AnalyzeCommand(&environment, "echo > a"), decide.Facts{})
	if d.Instead != "Allowed here: Write(src/**)." {
		t.Errorf("got %q", d.Instead)
	}
}
