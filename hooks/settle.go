package hooks

import (
	"guardrails/decide"
	"guardrails/detect/effect"
	"guardrails/hooks/session"
	"guardrails/hooks/wire"
	"guardrails/internal/private"
	"guardrails/internal/product"
)

// Settle records the result of a tool call: an approved question, changed files, a test, or a commit.
func Settle(h *Host, e *wire.Event) wire.Outcome { return h.withNotices(e, h.settle(e)) }

func (h *Host) settle(e *wire.Event) wire.Outcome {
	h.markAlive(e)
	if e.Session == "" {
		e.Session = h.Env(product.VariableSession)
	}
	h.approved(e)
	if h.Dir == nil || e.Session == "" || harmlessTool(e.Tool) {
		return wire.Outcome{}
	}
	if isReader(e.Tool) {
		return wire.Outcome{Context: h.noteLoop(e, &effect.Analysis{})}
	}
	o := h.compareOwn(e)
	call := h.analysis(e)
	if err := h.noteCall(e, call); err != nil {
		h.notify(e, "ledger", "guardrails cannot keep this session's record ("+err.Error()+
			"): limits on files and tests cannot be checked. Run: guardrails doctor")
		return o
	}
	if e.Name == wire.PostToolUseFailure {
		o.Context = joined(o.Context, h.adviseFailures(e, call).Context)
	}
	o.Context = joined(o.Context, h.noteLoop(e, call))
	return o
}

// isReader reports whether a tool only reads. Calls of such a tool are not analyzed.
func isReader(tool string) bool {
	switch tool {
	case "Read", "Glob", "Grep", "LS", "NotebookRead":
		return true
	}
	return false
}

// noteCall records the results of a call that later decisions need. It also records a failed call, because the call may
// have changed files before it failed.
func (h *Host) noteCall(e *wire.Event, call *effect.Analysis) error {
	changes := decide.NewChanges(call, h.Facts(h.root(e)).List)
	listed := listedTests{h: h, e: e}
	var entries []session.Entry
	for i := range call.Effects {
		done := &call.Effects[i]
		entry := session.Entry{ToolUseID: e.ToolUseID}
		switch {
		case done.Has(effect.TestRun):
			testResult(&entry, e, done)
		case done.Has(effect.Commit):
			commitResult(&entry, e, done.Commit)
		case listed.has(done):
			testResult(&entry, e, done)
			entry.Name = session.Listed
		case done.Script == 0:
			for _, name := range changes.Of(i) {
				entry.Kind, entry.Path, entry.Source = session.Wrote, name, decide.IsSource(name)
				entries = append(entries, entry)
			}
			continue
		}
		if entry.Kind != "" {
			entries = append(entries, entry)
		}
	}
	return session.Note(h.Dir, e.Session, entries...)
}

// commitResult stores the result of a commit in the entry. It stores nothing if the commit failed or was made in
// another repository.
func commitResult(entry *session.Entry, e *wire.Event, c *effect.CommitFacts) {
	if e.Name == wire.PostToolUseFailure || c != nil && c.Elsewhere {
		return
	}
	entry.Kind = session.Committed
	if c != nil {
		entry.Name = c.Head
	}
}

// RepeatedFailures is the number of times in a row that a test command must fail before guidelines about repeated
// failures apply.
const RepeatedFailures = 4

// AddRepeatedFailures looks at each effect of a call. If the effect runs a test command that has failed repeatedly in
// the session, AddRepeatedFailures adds an event to the effect.
func AddRepeatedFailures(dir *private.Dir, id string, call *effect.Analysis) {
	if dir == nil || id == "" {
		return
	}
	var state *session.State
	for i := range call.Effects {
		e := &call.Effects[i]
		if !e.Has(effect.TestRun) {
			continue
		}
		if state == nil {
			var err error
			if state, err = session.ReadLedger(dir, id); err != nil {
				return
			}
		}
		if state.Failed(e.Command) >= RepeatedFailures {
			e.Events = append(e.Events, effect.TestFailureRepeated)
		}
	}
}

// adviseFailures returns the advice of the guidelines about a test that has failed repeatedly. The model reads this
// advice right after the failure.
func (h *Host) adviseFailures(e *wire.Event, call *effect.Analysis) wire.Outcome {
	AddRepeatedFailures(h.Dir, e.Session, call)
	for i := range call.Effects {
		if !call.Effects[i].Has(effect.TestFailureRepeated) {
			continue
		}
		call.Effects[i].Events = []effect.Event{effect.TestFailureRepeated}
		return h.adviseOn(e, &effect.Analysis{Tool: call.Tool, Effects: call.Effects[i : i+1]})
	}
	return wire.Outcome{}
}

func (h *Host) adviseOn(e *wire.Event, call *effect.Analysis) wire.Outcome {
	// The call was judged with the cached guidelines a moment ago. So the cached guidelines are used here too.
	c, err := h.keptCache(e)
	if err != nil {
		// The next call requests the guidelines again and gives the same advice.
		return wire.Outcome{}
	}
	relevant, err := c.Relevant(call)
	if err != nil {
		return wire.Outcome{}
	}
	layers, err := Layers(relevant, e.Session, call)
	if err != nil {
		return wire.Outcome{}
	}
	d := decide.Judge(layers, call, decide.Facts{})
	if d.Outcome == decide.Allow && len(d.Advice) == 0 {
		return wire.Outcome{}
	}
	h.logDecision(e, c, d, call)
	return wire.Outcome{Context: joined(d.Reason, advice(d))}
}
