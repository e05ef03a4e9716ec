package decide_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"guardrails/decide"
	"guardrails/detect/effect"
	"guardrails/guideline"
	"guardrails/internal/fortests/worstcase"
)

// effects() returns n effects. Each effect has a different span, unless the function make() sets the span.
func effects(n int, make func(i int) effect.Effect) []effect.Effect {
	out := []effect.Effect{}
	for i := range n {
		e := make(i)
		if e.Span == (effect.Span{}) {
			e.Span = effect.Span{Start: i, End: i + 1, Text: fmt.Sprint("part ", i)}
		}
		out = append(out, e)
	}
	return out
}

// hardCall is a call with n effects. It also has the guidelines and facts that make the call hard to judge.
type hardCall struct {
	guidelines []guideline.Guideline
	effect     func(i int) effect.Effect
	facts      decide.Facts
	exceptions []decide.Exception
}

func write(path string) effect.Effect { return effect.Effect{Kind: effect.Write, Path: path} }

func within(e effect.Effect) effect.Effect {
	e.Span = effect.Span{End: 1 << 20, Text: "one command"}
	return e
}

func commit(i int) effect.Effect {
	name := fmt.Sprintf("src/a%d.go", i/2)
	if i%2 == 0 {
		return write(name)
	}
	return effect.Effect{
		Kind: effect.Run, Command: "git commit", Events: []effect.Event{effect.Commit}, Related: []string{name},
		Commit: &effect.CommitFacts{Known: true, Files: []string{name}},
	}
}

func hardCalls() map[string]hardCall {
	nothing := func(string, int) ([]decide.Entry, bool) { return nil, true }
	exceptions := make([]decide.Exception, 20)
	for i := range exceptions {
		exceptions[i] = decide.Exception{Guideline: "no", Tools: []string{fmt.Sprintf("Write(lib%d/*)", i)}, Expires: time.Unix(1<<40, 0)}
	}
	tests := func() (decide.Session, error) {
		s, err := changed(4000, decide.TestsMissing)()
		s.Untested = s.Changed
		return s, err
	}
	return map[string]hardCall{
		"globs that match no file": {
			guidelines: []guideline.Guideline{newGuideline("no", 1, denies("Write(src/*)"))}, facts: decide.Facts{List: nothing},
			effect: func(i int) effect.Effect {
				return effect.Effect{Kind: effect.Delete, Path: fmt.Sprintf("s*/a%d", i), Glob: true}
			},
		},
		"files that one command moves": {
			guidelines: []guideline.Guideline{newGuideline("few", 1, maxFiles(2))}, facts: decide.Facts{List: nothing},
			effect: func(i int) effect.Effect {
				return within(effect.Effect{Kind: effect.Delete, Path: fmt.Sprint("a", i)})
			},
		},
		"files that one command copies": {
			guidelines: []guideline.Guideline{newGuideline("few", 1, maxFiles(2))}, facts: decide.Facts{List: nothing},
			effect: func(i int) effect.Effect {
				return within(effect.Effect{Kind: []effect.Kind{effect.Read, effect.Write}[i%2], Path: fmt.Sprint("a", i)})
			},
		},
		"files that are written": {
			guidelines: []guideline.Guideline{newGuideline("few", 1, maxFiles(1<<20))}, facts: decide.Facts{Session: tests},
			effect: func(i int) effect.Effect { return write(fmt.Sprint("a", i)) },
		},
		"commits": {
			guidelines: []guideline.Guideline{newGuideline("tested", 1, requireTests)}, facts: decide.Facts{Session: tests}, effect: commit,
		},
		"effects of one command": {
			guidelines: []guideline.Guideline{newGuideline("only", 1, denies("*"))},
			effect: func(i int) effect.Effect {
				if i == 0 {
					return within(effect.Effect{Kind: effect.Run, Command: "cat"})
				}
				return within(effect.Effect{Kind: effect.Read, Path: fmt.Sprint("a", i)})
			},
		},
		"findings with exceptions": {
			guidelines: []guideline.Guideline{newGuideline("no", 1, denies("Write(src/*)"))}, exceptions: exceptions,
			effect: func(i int) effect.Effect { return write(fmt.Sprint("src/a", i)) },
		},
		"questions": {
			guidelines: []guideline.Guideline{newGuideline("ask", 1, asks("a"))},
			effect:     func(i int) effect.Effect { return write(fmt.Sprint("src/a", i)) },
		},
	}
}

// TestEightTimesTheEffectsTakeAboutEightTimesTheWork fails if the work grows with the square of the number of effects.
// In that case, eight times the effects take 64 times the work.
func TestEightTimesTheEffectsTakeAboutEightTimesTheWork(t *testing.T) {
	for name, c := range hardCalls() {
		t.Run(name, func(t *testing.T) {
			layers := decide.Alone(compile(t, c.guidelines...), guideline.Context{})
			layers[0].Exceptions = c.exceptions
			cost := func(n int) time.Duration {
				call := &effect.Analysis{Tool: "Bash", Effects: effects(n, c.effect)}
				return worstcase.Cost(7, func() { decide.Judge(layers, call, c.facts) })
			}
			few, many := cost(1000), cost(8000)
			t.Logf("%v and %v", few, many)
			if many > 24*few {
				t.Errorf("1,000 effects take %v, and 8,000 effects take %v", few, many)
			}
		})
	}
}

// TestTooManyEffectsForTooManyGuidelinesAreNeverAllowedInSilence judges a call with more effects than can be judged
// one by one. The effects at the end of the call still count.
func TestTooManyEffectsForTooManyGuidelinesAreNeverAllowedInSilence(t *testing.T) {
	var many []guideline.Guideline
	for i := range 1000 {
		many = append(many, newGuideline(fmt.Sprintf("g%04d", i), 1, denies(fmt.Sprintf("Write(src/m%d/*)", i))))
	}
	large := newGuideline("large", 1, asks("a"), on("too_large"))
	push := newGuideline("push", 1, denies("Bash"), on("push"))
	for _, c := range []struct {
		name   string
		with   []guideline.Guideline
		last   effect.Effect
		want   decide.Outcome
		reason string
	}{
		{"a pattern that may match", nil, write("docs/a"), decide.Ask, "has too many effects for this many guidelines"},
		{"a guideline about too_large", []guideline.Guideline{large}, write("docs/a"), decide.Ask, "large"},
		{"an event at the end", []guideline.Guideline{push}, effect.Effect{Kind: effect.Run, Command: "git push", Events: []effect.Event{effect.Push}}, decide.Deny, "push"},
		{"a change of the guard at the end", nil, effect.Effect{Kind: effect.Write, Path: "x", Events: []effect.Event{effect.GuardTamper}}, decide.Deny, "self-protection"},
		{"a limit", []guideline.Guideline{newGuideline("few", 1, maxFiles(9999))}, write("docs/a"), decide.Ask, "has too many effects"},
	} {
		list := append(effects(4999, func(i int) effect.Effect { return write(fmt.Sprint("docs/", i)) }), c.last)
		set := compile(t, append(c.with, many...)...)
		d := decide.Judge(decide.Alone(set, guideline.Context{}), &effect.Analysis{Tool: "Bash", Effects: list}, decide.Facts{})
		if d.Outcome != c.want || !strings.Contains(d.Reason, c.reason) {
			t.Errorf("%s: %s: %s", c.name, d.Outcome, d.Reason)
		}
	}
}
