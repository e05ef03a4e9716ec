// Package cases runs the cases of guideline files. A case states the result that a guideline set should have in a
// context, or the decision that the set should make on a tool call.
//
// Start with Run.
package cases

import (
	"encoding/json"
	"fmt"
	"slices"

	"guardrails/decide"
	"guardrails/detect/effect"
	"guardrails/detect/toolcall"
	"guardrails/evaluator"
	"guardrails/rules"
)

// Result is the outcome of one case.
type Result struct {
	Case   rules.Case
	Passed bool
	// Failures lists the expectations that were not met. Each is a sentence that says what was expected and what
	// was found.
	Failures []string
}

// Run checks a guideline set against cases. If a case has a tool, Run judges a call of that tool in the case's context,
// and adds the paths and events of the call to the context. Otherwise, it evaluates the context. If a case has a text,
// Run lets the safety gate check it, and adds the event of the verdict to the context.
func Run(set *evaluator.Set, env *toolcall.Env, list []rules.Case) []Result {
	known := knownIDs(set)
	out := make([]Result, len(list))
	for i := range list {
		r := run{set: set, env: env, known: known, wanted: &list[i]}
		r.check()
		out[i] = Result{Case: list[i], Passed: len(r.failures) == 0, Failures: r.failures}
	}
	return out
}

// knownIDs maps every id and every alias of each guideline in a set to the id of the guideline.
func knownIDs(set *evaluator.Set) map[string]string {
	known := map[string]string{}
	guidelines := set.Guidelines()
	for i := range guidelines {
		for _, alias := range guidelines[i].Aliases() {
			known[alias] = guidelines[i].ID
		}
	}
	// If a name is both an id and an alias, it means the id.
	for i := range guidelines {
		known[guidelines[i].ID] = guidelines[i].ID
	}
	return known
}

type run struct {
	set    *evaluator.Set
	env    *toolcall.Env
	known  map[string]string
	wanted *rules.Case

	call     *effect.Analysis
	decision *decide.Decision
	// The field "answers" holds the result for the context, or one result for each effect of the tool call.
	answers  []*evaluator.Result
	failures []string
}

func (r *run) check() {
	if !r.idsExist() {
		return
	}
	if r.wanted.HasToolCall() {
		if !r.decide() {
			return
		}
		r.checkDecision()
	} else {
		q := evaluator.Query{Context: r.wanted.Context, Unknown: r.wanted.Unknown}
		if r.wanted.HasText() {
			r.checkSafety(&q.Context)
		}
		r.answers = []*evaluator.Result{r.set.Evaluate(&q)}
	}
	r.checkMatches()
	r.checkAnswer()
}

// idsExist reports whether the set has all guidelines that the case names. Without this check, a case that excludes a
// misspelled id would always pass.
func (r *run) idsExist() bool {
	e := &r.wanted.Expect
	ids := slices.Concat(e.Matches, e.Includes, e.Excludes)
	if e.Guideline != "" {
		ids = append(ids, e.Guideline)
	}
	reported := map[string]bool{}
	for _, id := range ids {
		if r.known[id] == "" && !reported[id] {
			reported[id] = true
			r.fail("none of the tested guidelines has the id %q", id)
		}
	}
	return len(reported) == 0
}

func (r *run) decide() bool {
	input, err := json.Marshal(toolInput(r.wanted))
	if err != nil {
		r.fail("input: cannot be written as JSON: %v", err)
		return false
	}
	r.call = toolcall.Analyze(r.env, r.wanted.Tool, input)
	facts := Facts(r.wanted.Facts)
	layers := facts.In(Layers(r.set, r.wanted.Context, r.wanted.Facts))
	r.decision = decide.Judge(layers, r.call, facts)
	for _, q := range decide.Questions(layers[0].Context, r.call) {
		r.answers = append(r.answers, r.set.Evaluate(&q))
	}
	return true
}

// toolInput returns the arguments of the tool call. The arguments are the input of the case, or the single argument
// that its field "command" or "path" stands for.
func toolInput(c *rules.Case) map[string]any {
	switch {
	case c.Input != nil:
		return c.Input
	case c.Command != "":
		return map[string]any{"command": c.Command}
	case c.Path != "":
		return map[string]any{toolcall.PathArgument(c.Tool): c.Path}
	}
	return map[string]any{}
}

func (r *run) fail(format string, args ...any) {
	r.failures = append(r.failures, oneLine(fmt.Sprintf(format, args...)))
}
