package cases

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"guardrails/detect/effect"
	"guardrails/evaluator"
)

func (r *run) checkDecision() {
	e := &r.wanted.Expect
	if got := string(r.decision.Outcome); e.Decision != "" && e.Decision != got {
		r.fail("decision: expected %s, got %s%s", e.Decision, got, because(r.decision.Reason))
	}
	if got := r.decision.Guideline(); e.Guideline != "" && r.known[e.Guideline] != got {
		if got == "" {
			got = "none"
		}
		r.fail("guideline: expected %s, got %s%s", e.Guideline, got, because(r.decision.Reason))
	}
	r.checkEvents()
}

// hasFileEvent reports whether the call has the given event, and has it because the call reads or changes a file. If a
// case expects no events, such events are ignored.
func (r *run) hasFileEvent(event string) bool {
	return slices.ContainsFunc(r.call.Effects, func(e effect.Effect) bool { return e.FileEvent() == effect.Event(event) })
}

func because(reason string) string {
	if reason == "" {
		return ""
	}
	return ": " + reason
}

func (r *run) checkEvents() {
	var sent []string
	for i := range r.call.Effects {
		for _, event := range r.call.Effects[i].Events {
			sent = with(sent, string(event))
		}
	}
	wanted := r.wanted.Expect.Events
	if wanted != nil && len(wanted) == 0 && len(sent) > 0 {
		r.fail("events: expected none, got %s", list(sent))
	}
	for _, event := range wanted {
		if !slices.Contains(sent, event) && !r.hasFileEvent(event) {
			r.fail("events: expected %s, got %s", event, list(sent))
		}
	}
}

func (r *run) checkMatches() {
	got := r.union(func(a *evaluator.Result) []string {
		var ids []string
		for i := range a.Guidelines {
			ids = append(ids, a.Guidelines[i].ID)
		}
		return ids
	})
	e := &r.wanted.Expect
	if e.Matches != nil {
		r.sameSet("matches", r.ids(e.Matches), got)
	}
	for _, id := range e.Includes {
		if !slices.Contains(got, r.known[id]) {
			r.fail("includes: expected %s to match, got %s", id, list(got))
		}
	}
	for _, id := range e.Excludes {
		if slices.Contains(got, r.known[id]) {
			r.fail("excludes: expected %s not to match, but it does", id)
		}
	}
}

// ids() replaces each alias in a list with the id.
func (r *run) ids(names []string) []string {
	out := make([]string, len(names))
	for i, name := range names {
		out[i] = r.known[name]
	}
	return out
}

func (r *run) checkAnswer() {
	e := &r.wanted.Expect
	if e.Gates != nil {
		r.sameSet("gates", e.Gates, r.union(func(a *evaluator.Result) []string {
			var types []string
			for _, gate := range a.GatesRequired {
				types = append(types, gate.GateType)
			}
			return types
		}))
	}
	if e.ToolsAllowed != nil {
		r.sameSet("tools_allowed", e.ToolsAllowed, r.union(func(a *evaluator.Result) []string { return a.ToolsAllowed }))
	}
	if e.ToolsDenied != nil {
		r.sameSet("tools_denied", e.ToolsDenied, r.union(func(a *evaluator.Result) []string { return a.ToolsDenied }))
	}
	if e.ToolsAsked != nil {
		r.sameSet("tools_asked", e.ToolsAsked, r.union(func(a *evaluator.Result) []string { return a.ToolsAsked }))
	}
	if e.Constraints != nil {
		r.checkConstraints()
	}
	for _, text := range e.InstructionContains {
		has := func(a *evaluator.Result) bool { return strings.Contains(a.CombinedInstruction, text) }
		if !slices.ContainsFunc(r.answers, has) {
			r.fail("instruction_contains: expected the combined instruction to contain %q", text)
		}
	}
}

// checkConstraints compares the constraints of the results with the expected constraints. If several results set the
// same limit, the strictest limit counts.
func (r *run) checkConstraints() {
	var files *int
	tests, review := false, false
	for _, a := range r.answers {
		c := &a.Constraints
		if c.MaxFiles != nil && (files == nil || *c.MaxFiles < *files) {
			files = c.MaxFiles
		}
		tests = tests || c.RequireTests != nil && *c.RequireTests
		review = review || c.RequireReview != nil && *c.RequireReview
	}
	wanted := r.wanted.Expect.Constraints
	if wanted.MaxFiles != nil && (files == nil || *wanted.MaxFiles != *files) {
		got := "no limit"
		if files != nil {
			got = strconv.Itoa(*files)
		}
		r.fail("constraints.max_files: expected %d, got %s", *wanted.MaxFiles, got)
	}
	r.sameBool("constraints.require_tests", wanted.RequireTests, tests)
	r.sameBool("constraints.require_review", wanted.RequireReview, review)
}

func (r *run) sameBool(what string, wanted *bool, got bool) {
	if wanted != nil && *wanted != got {
		r.fail("%s: expected %t, got %t", what, *wanted, got)
	}
}

// sameSet reports a failure unless two lists have the same items, in any order.
func (r *run) sameSet(what string, wanted, got []string) {
	var missing, more []string
	for _, w := range wanted {
		if !slices.Contains(got, w) {
			missing = with(missing, w)
		}
	}
	for _, g := range got {
		if !slices.Contains(wanted, g) {
			more = with(more, g)
		}
	}
	if len(missing)+len(more) == 0 {
		return
	}
	message := fmt.Sprintf("%s: expected %s, got %s", what, list(wanted), list(got))
	if len(missing) > 0 {
		message += "; missing: " + list(missing)
	}
	if len(more) > 0 {
		message += "; not expected: " + list(more)
	}
	r.fail("%s", message)
}

// union() calls a function for every answer. It returns the values of all calls without duplicates.
func (r *run) union(of func(*evaluator.Result) []string) []string {
	var out []string
	for _, a := range r.answers {
		for _, s := range of(a) {
			out = with(out, s)
		}
	}
	return out
}

func with(list []string, s string) []string {
	if slices.Contains(list, s) {
		return list
	}
	return append(list, s)
}

func list(items []string) string {
	if len(items) == 0 {
		return "none"
	}
	return strings.Join(items, ", ")
}

func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }
