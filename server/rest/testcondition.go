package rest

import (
	"net/http"
	"path/filepath"
	"strings"
	"time"

	"guardrails/evaluator"
	"guardrails/guideline"
	"guardrails/internal/document"
	"guardrails/store"
)

const (
	// maxTried is the largest number of recorded contexts with which a condition is tested.
	maxTried = 500
	// maxShown is the number of matching contexts in the answer.
	maxShown = 5
)

// conditionTested says how many of the newest recorded contexts match a condition.
type conditionTested struct {
	Tried   int `json:"tried"`
	Matched int `json:"matched"`
	// The field "Open" is the number of contexts whose result is unknown, because condition.custom names facts that
	// records do not have.
	Open     int              `json:"open"`
	Examples []matchedContext `json:"examples"`
}

// matchedContext is a recorded context that matches a condition.
type matchedContext struct {
	EntryID string    `json:"entry_id"`
	Time    time.Time `json:"timestamp"`
	Agent   string    `json:"agent"`
	Session string    `json:"session_id,omitempty"`
	Tool    string    `json:"tool,omitempty"`
	Events  []string  `json:"events"`
	Paths   []string  `json:"paths"`
}

func (c *call) testCondition() error {
	n, d, err := c.object()
	if err != nil {
		return err
	}
	var condition guideline.Condition
	d.Object(n, "", []document.Spec{{Name: "condition", Required: true, Read: func(n *document.Node, at string) {
		if d.Expect(n, at, document.Object) {
			condition = guideline.DecodeCondition(d, n, at)
		}
	}}})
	if len(d.Problems) > 0 {
		return invalid(d.Problems)
	}
	out, err := c.triedCondition(&condition)
	if err != nil {
		return err
	}
	return c.say(http.StatusOK, out)
}

// triedCondition tests a condition with the contexts of the newest decisions.
func (c *call) triedCondition(condition *guideline.Condition) (*conditionTested, error) {
	set, err := evaluator.Compile([]guideline.Guideline{{
		ID: "condition", Name: "condition", Enabled: true, Category: guideline.Custom, Condition: *condition,
		Action: guideline.Action{Type: guideline.Instruction, Instruction: "x"},
	}})
	if err != nil {
		return nil, err
	}
	out := &conditionTested{Examples: []matchedContext{}}
	_, err = c.scan(store.AuditFilter{Kind: store.KindDecision}, &countedPart{}, maxTried, func(e *store.Entry) {
		if e.Context == nil {
			return
		}
		out.Tried++
		matches, isOpen := matchesRecord(set, e.Context)
		switch {
		case isOpen:
			out.Open++
		case matches:
			out.Matched++
		}
		if matches && len(out.Examples) < maxShown {
			out.Examples = append(out.Examples, shownContext(e))
		}
	})
	return out, err
}

// matchesRecord reports whether a guideline matches a recorded context. It tries the context with each of its events,
// and also without an event. The parameter "set" contains only this guideline. The result isOpen is set if the
// match depends on facts that records do not have.
func matchesRecord(set *evaluator.Set, recorded *guideline.Context) (matches, isOpen bool) {
	q := &evaluator.Query{Context: *recorded, Unknown: guideline.FieldMetadata}
	q.Paths = pathsInProject(recorded)
	for _, event := range append([]string{recorded.Event}, eventsOf(recorded)...) {
		q.Event = event
		if found := set.Match(q, nil); len(found) > 0 {
			return true, found[0].Residual != 0
		}
	}
	return false, false
}

// pathsInProject returns the paths of a recorded context in the form that conditions use: paths in the project are
// relative to its root.
func pathsInProject(c *guideline.Context) []string {
	root, _ := c.Metadata["project"].(string)
	out := []string{}
	for _, path := range c.Paths {
		rest, isBelow := strings.CutPrefix(filepath.ToSlash(path), strings.TrimSuffix(filepath.ToSlash(root), "/")+"/")
		if root == "" || !isBelow {
			rest = path
		}
		out = append(out, rest)
	}
	return out
}

// eventsOf returns the events of the call for which a context was recorded.
func eventsOf(c *guideline.Context) []string {
	out := []string{}
	list, _ := c.Metadata["events"].([]any)
	for _, item := range list {
		if event, isText := item.(string); isText {
			out = append(out, event)
		}
	}
	return out
}

func shownContext(e *store.Entry) matchedContext {
	out := matchedContext{
		EntryID: e.ID, Time: e.Time.UTC(), Agent: e.Context.Agent, Session: e.Session, Events: eventsOf(e.Context),
		Paths: pathsInProject(e.Context),
	}
	if e.Decision != nil {
		out.Tool = e.Decision.Tool
	}
	return out
}
