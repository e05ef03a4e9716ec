// Package loop notices an agent that goes in circles: it repeats a call with the same result, it meets the same error
// again and again, or it alternates between two calls. Check is a pure function over the last calls of one agent, and
// Decode reads its input from JSON.
package loop

import (
	"fmt"
	"time"

	"guardrails/detect/advice"
	"guardrails/internal/document"
)

// Call is one tool call with its result.
type Call struct {
	Tool  string
	Input *document.Node
	OK    bool
	// Error is the text of the error of a failed call. Outcome is a digest of the answer of a call that succeeded.
	Error, Outcome string
	// The field "At" is nil if the time is unknown.
	At *time.Time
	// Test is set if the call ran tests. Progress is set if a file changed or a person wrote a message.
	Test, Progress bool
}

// Limits says for each pattern how many calls form a loop.
type Limits struct{ Repetition, Error, Alternation int }

// Input is the input of Check. All calls are from one agent, oldest first. NoteAt has the limits for LevelNote, and
// AskAt has the limits for LevelAsk.
type Input struct {
	Calls         []Call
	NoteAt, AskAt Limits
}

// Pattern names a kind of loop.
type Pattern string

// The patterns, in the order in which Check looks for them.
const (
	PatternNone Pattern = "none"
	ErrorCycle  Pattern = "error_cycle"
	Repetition  Pattern = "exact_repetition"
	Alternation Pattern = "alternation"
)

const (
	// Check looks for an alternation in the last 20 calls, and for the other patterns in the last 10 calls.
	counted = 20
	near    = 10
	// If an agent repeats a call after more than this time, the agent is only waiting for something.
	waiting = time.Minute
)

// Level says what a caller may do about a loop.
type Level string

// The levels, lowest first.
const (
	LevelNone Level = "none"
	LevelNote Level = "note"
	LevelAsk  Level = "ask"
)

// Answer is the answer of Check.
type Answer struct {
	Detected bool    `json:"detected"`
	Pattern  Pattern `json:"pattern"`
	Level    Level   `json:"level"`
	Count    int     `json:"count"`
	// Calls has the positions in Input.Calls of the calls that form the loop.
	Calls []int `json:"calls"`
	advice.Common
}

// Check reports whether the last call continues a loop.
func Check(in *Input) *Answer {
	h := newHistory(in.Calls)
	if calls := h.errorCycle(); len(calls) >= in.NoteAt.Error {
		return found(in, ErrorCycle, calls, 0.1*float64(len(calls)-3)+0.7, in.AskAt.Error)
	}
	if calls := h.repetition(); len(calls) >= in.NoteAt.Repetition {
		return found(in, Repetition, calls, 0.05*float64(len(calls)-4)+0.75, in.AskAt.Repetition)
	}
	if calls := h.alternation(); len(calls) >= in.NoteAt.Alternation {
		return found(in, Alternation, calls, 0.05*float64(len(calls)-6)+0.7, in.AskAt.Alternation)
	}
	return &Answer{
		Pattern: PatternNone, Level: LevelNone, Calls: []int{},
		Common: advice.New(0.9, "No loop was found.", string(PatternNone), "None of the three patterns matched."),
	}
}

func found(in *Input, pattern Pattern, calls []int, confidence float64, askAt int) *Answer {
	a := &Answer{Detected: true, Pattern: pattern, Level: LevelNote, Count: len(calls), Calls: calls}
	if a.Count >= askAt {
		a.Level = LevelAsk
	}
	reason, rule := explained(pattern, in.Calls, a.Count)
	a.Common = advice.New(min(confidence, 0.95), reason, string(pattern), rule,
		advice.Option{Token: advice.OverrideOnce, Description: "Ignore this one time."},
		advice.Option{Token: advice.DisableForSession, Description: "Switch this check off until the session ends."},
		advice.Option{Token: advice.FreshContext, Description: "Something has changed: count from here."},
		advice.Option{Token: advice.ExplainTheMatch, Description: "Show which calls matched, and by which rule."})
	return a
}

// explained() returns two texts: what the agent did, and how the rule for the pattern counts.
func explained(pattern Pattern, calls []Call, count int) (reason, rule string) {
	tool := document.Excerpt(calls[len(calls)-1].Tool)
	switch pattern {
	case ErrorCycle:
		return fmt.Sprintf("%d of the last %d calls failed in %s with the same error.", count, min(near, len(calls)), tool),
			"Counts failed calls of one tool with the same error among the last 10 calls. Numbers and ids in errors are ignored."
	case Repetition:
		return fmt.Sprintf("The same call of %s gave the same result %d times, and nothing changed in between.", tool, count),
			"Counts calls with the same tool, input and result among the last 10 calls since a file changed or a person wrote. " +
				"A call that waits, or that comes more than 60 seconds after the previous such call, starts a new count."
	}
	return fmt.Sprintf("The last %d calls alternated between the same two calls with the same results.", count),
		"Counts alternating calls (A, B, A, B) with unchanged results. The count begins again when a file changes or a " +
			"person writes."
}

// history has the last calls, in the form in which the rules compare them.
type history struct {
	calls []Call
	// The field "first" is the position of calls[0] in Input.Calls. Repetitions and alternations are counted only from
	// calls[fresh]. calls[fresh] is the call after the last progress. If later calls only wait for something, calls[fresh]
	// is the last of these waiting calls.
	first, fresh int
	signatures   []string
	results      []string
}

func newHistory(calls []Call) *history {
	h := &history{first: max(0, len(calls)-counted)}
	h.calls = calls[h.first:]
	for i := range h.calls {
		c := &h.calls[i]
		h.signatures = append(h.signatures, signature(c))
		h.results = append(h.results, result(c))
		switch {
		case isProgress(c):
			h.fresh = i + 1
		case waits(c):
			h.fresh = i
		}
	}
	return h
}

// isProgress reports whether a call is marked as progress or edited a file.
func isProgress(c *Call) bool {
	switch c.Tool {
	case "Write", "Edit", "MultiEdit", "NotebookEdit":
		return c.OK || c.Progress
	}
	return c.Progress
}

// errorCycle returns the calls of the same tool that failed with the same error as the last call.
func (h *history) errorCycle() (out []int) {
	last := len(h.calls) - 1
	if h.calls[last].OK || h.calls[last].Test || isSilent(h.results[last]) {
		return nil
	}
	for i := max(0, len(h.calls)-near); i <= last; i++ {
		if c := &h.calls[i]; !c.OK && c.Tool == h.calls[last].Tool && h.results[i] == h.results[last] {
			out = append(out, h.first+i)
		}
	}
	return out
}

// repetition() returns the calls that have the same tool, input and result as the last call.
func (h *history) repetition() (out []int) {
	last := len(h.calls) - 1
	var before *time.Time
	for i := max(h.fresh, len(h.calls)-near); i <= last; i++ {
		if h.signatures[i] != h.signatures[last] || h.results[i] != h.results[last] {
			continue
		}
		at := h.calls[i].At
		if at != nil && before != nil && at.Sub(*before) > waiting {
			out = nil
		}
		out, before = append(out, h.first+i), at
	}
	return out
}

// alternation() returns the last calls if they alternate between two different calls.
func (h *history) alternation() (out []int) {
	last := len(h.calls) - 1
	if last-1 < h.fresh || h.signatures[last] == h.signatures[last-1] {
		return nil
	}
	start := last - 1
	for start > h.fresh && h.same(start-1, start+1) {
		start--
	}
	for i := start; i <= last; i++ {
		out = append(out, h.first+i)
	}
	return out
}

func (h *history) same(i, j int) bool {
	return h.signatures[i] == h.signatures[j] && h.results[i] == h.results[j]
}
