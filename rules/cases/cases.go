// Package cases runs the cases that stand beside guidelines: what a guideline set is expected to say in a context, and
// to decide on a tool call.
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

// Result is what came of one case.
type Result struct {
	Case   rules.Case
	Passed bool
	// Failures say, one a line, what was expected and what came instead.
	Failures []string
}

// Run holds a guideline set against cases. A case with a tool is decided as a call of it in the case's context; the
// paths and the event are then those of the call. Any other case is evaluated in its context.
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

// knownIDs maps every id and alias of a set to the id.
func knownIDs(set *evaluator.Set) map[string]string {
	known := map[string]string{}
	guidelines := set.Guidelines()
	for i := range guidelines {
		for _, alias := range guidelines[i].Aliases() {
			known[alias] = guidelines[i].ID
		}
	}
	// An id goes before an alias of the same name.
	for i := range guidelines {
		known[guidelines[i].ID] = guidelines[i].ID
	}
	return known
}

// run is one case being run.
type run struct {
	set    *evaluator.Set
	env    *toolcall.Env
	known  map[string]string
	wanted *rules.Case

	call     *effect.Analysis
	decision *decide.Decision
	// answers is the evaluation of the context, or those of everything that the tool call would do.
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
		r.answers = []*evaluator.Result{r.set.Evaluate(&q)}
	}
	r.checkMatches()
	r.checkAnswer()
}

// idsExist refuses names of guidelines that are not there: what can never match would pass every exclusion.
func (r *run) idsExist() bool {
	e := &r.wanted.Expect
	ids := slices.Concat(e.Matches, e.Includes, e.Excludes)
	if e.Guideline != "" {
		ids = append(ids, e.Guideline)
	}
	told := map[string]bool{}
	for _, id := range ids {
		if r.known[id] == "" && !told[id] {
			told[id] = true
			r.fail("there is no guideline %q in the set", id)
		}
	}
	return len(told) == 0
}

func (r *run) decide() bool {
	input, err := json.Marshal(toolInput(r.wanted))
	if err != nil {
		r.fail("input: cannot be written as JSON: %v", err)
		return false
	}
	r.call = toolcall.Analyze(r.env, r.wanted.Tool, input)
	r.decision = decide.Judge(r.set, r.wanted.Context, r.call, Facts(r.wanted.Facts))
	for _, q := range decide.Questions(r.wanted.Context, r.call) {
		r.answers = append(r.answers, r.set.Evaluate(&q))
	}
	return true
}

// toolInput is the tool's arguments: as they are given, or the one that the case has under a short name.
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
