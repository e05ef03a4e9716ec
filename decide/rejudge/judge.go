package rejudge

import (
	"slices"
	"strings"
	"time"

	"guardrails/decide"
	"guardrails/detect/effect"
)

// Missing is the name of a fact that a judgement needs but that was not noted. The zero value says that nothing is
// missing.
type Missing string

// The facts that can be missing.
const (
	// MissingSession means that it was not noted what the session did before the call.
	MissingSession Missing = "session"
	// MissingFolders means that the entries of a folder were not noted.
	MissingFolders Missing = "folders"
	// MissingTests means that it was not noted whether the project has tests.
	MissingTests Missing = "tests"
	// MissingBranch means that it was not noted which branch was checked out.
	MissingBranch Missing = "branch"
	// MissingScripts means that it was not noted whether the scripts of the call were committed.
	MissingScripts Missing = "scripts"
	// MissingYeses means that it was not noted which questions a person had answered with yes.
	MissingYeses Missing = "yeses"
	// MissingLoops means that it was not noted whether the agent had made the call again and again.
	MissingLoops Missing = "loops"
)

// Needs has the facts on which guidelines depend. A hook notes some facts only if a guideline needs them.
type Needs struct {
	// Branches lists the branches that are tried if the branch of the call is not known. Each of these branches fulfils a
	// condition of a guideline, or is excluded by such a condition.
	Branches []string
	// AnyBranch is set if Branches is incomplete, because the list would be too long or has no branch for some pattern.
	AnyBranch bool
	// Loops is set if a guideline names the event tool_loop.
	Loops bool
	// Asking contains the ids of guidelines to whose questions a person may have said yes before the call.
	Asking map[string]bool
}

// Judge judges the call as it was at the given time. If a fact is missing, the decision is not valid. A fact that was
// not noted counts as missing only if the decision depends on it.
func (c *Call) Judge(layers []decide.Layer, at time.Time, needs Needs) (*decide.Decision, Missing) {
	d, missing := c.judgeOn("", layers, at)
	if missing != "" {
		return d, missing
	}
	if c.asked[agreed] == nil && d.Outcome == decide.Ask && slices.ContainsFunc(d.Remember, needs.mayKnow) {
		return d, MissingYeses
	}
	if needs.Loops && c.unlooped && c.inLoop().differs(d, "", layers, at) {
		return d, MissingLoops
	}
	if c.asked[branch] != nil {
		return d, ""
	}
	for _, name := range needs.Branches {
		if c.differs(d, name, layers, at) {
			return d, MissingBranch
		}
	}
	if needs.AnyBranch {
		return d, MissingBranch
	}
	return d, ""
}

// mayKnow reports whether a person may have answered a question before.
func (n *Needs) mayKnow(q decide.Yes) bool {
	id, _, _ := strings.Cut(q.Question, " ")
	return n.Asking[id]
}

// differs() reports whether the decision would differ from the given decision if the named branch were checked out.
func (c *Call) differs(from *decide.Decision, name string, layers []decide.Layer, at time.Time) bool {
	d, missing := c.judgeOn(name, layers, at)
	return missing != "" || d.Outcome != from.Outcome || d.Guideline() != from.Guideline()
}

// inLoop returns a copy of the call as it would be if the agent had made the call again and again.
func (c *Call) inLoop() *Call {
	again := *c
	again.Effects = slices.Clone(c.Effects)
	if len(again.Effects) == 0 {
		again.Effects = []effect.Effect{{Kind: effect.Use}}
	}
	first := &again.Effects[0]
	first.Events = append(slices.Clone(first.Events), effect.ToolLoop)
	return &again
}

// judgeOn judges the call as if it were made on the named branch. If the branch of the call was noted, judgeOn uses the
// noted branch instead.
func (c *Call) judgeOn(name string, layers []decide.Layer, at time.Time) (*decide.Decision, Missing) {
	a := &again{Call: c, name: name}
	f := c.facts
	f.Now = at.In(time.FixedZone("", c.east))
	f.Agreed, f.Branch, f.Tests, f.Session, f.List = a.agreed, a.branch, a.tests, a.session, a.list
	d := decide.Judge(layers, &c.Analysis, f)
	if a.missing == "" && c.unconfirmed && d.Outcome != decide.Allow {
		a.missing = MissingScripts
	}
	return d, a.missing
}

// The type "again" holds a call that is judged again. Its methods return the noted facts. If Judge asks for a fact
// that was not noted, the methods store the name of this fact in the field "missing". They do not replace the name
// of another fact in this field.
type again struct {
	*Call
	// name is the branch that is assumed if the branch of the call was not noted.
	name    string
	missing Missing
}

// noted() returns the strings of a field, without the first string.
func (a *again) noted(name string, missing Missing) []string {
	list := a.asked[name]
	if len(list) > 0 {
		return list[1:]
	}
	if a.missing == "" {
		a.missing = missing
	}
	return nil
}

// agreed() returns the questions that a person had answered with yes. Judge needs these answers only if a guideline
// asks a person. If the answers were not noted, either Judge did not need them, or too many facts had been noted
// already. The answers count as missing only in the second case.
func (a *again) agreed() []string {
	if a.leftOut {
		return a.noted(agreed, MissingYeses)
	}
	return a.noted(agreed, "")
}

func (a *again) branch() string {
	if noted := a.asked[branch]; noted != nil {
		return noted[1]
	}
	return a.name
}

func (a *again) tests() decide.ProjectTests {
	command := a.noted(tests, MissingTests)
	return decide.ProjectTests{None: a.asked.first(tests) == "true", Command: strings.Join(command, "")}
}

func (a *again) session() (decide.Session, error) {
	s := decide.Session{
		Changed: a.noted(changed, MissingSession), Untested: a.noted(untested, MissingSession),
		Passed: a.noted(session, MissingSession),
	}
	switch a.asked.first(session) {
	case "1":
		s.Tests = decide.TestsFailed
	case "2":
		s.Tests = decide.TestsMissing
	}
	return s, nil
}

func (a *again) list(name string, limit int) ([]decide.Entry, bool) {
	for i := range a.listed {
		f := &a.listed[i]
		switch {
		case f.name != name || !f.complete && f.limit < limit:
		case len(f.entries) > limit:
			return f.entries[:max(0, limit)], false
		default:
			return f.entries, f.complete
		}
	}
	a.noted("", MissingFolders)
	return nil, false
}
