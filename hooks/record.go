package hooks

import (
	"cmp"

	"guardrails/decide"
	"guardrails/decide/rejudge"
	"guardrails/detect/effect"
	"guardrails/guideline"
	"guardrails/hooks/cache"
	"guardrails/hooks/wire"
	"guardrails/internal/document"
	"guardrails/internal/spool"
)

// A record is one line in the spool. It says how the hook decided, or what went wrong. It contains no prompt. It
// contains the content of a file only if a telemetry guideline requests the input of the tool.
type record struct {
	// The field "kind" is "decision", "gate", "remember", "exception", "allow_once", "unchecked", "unreadable",
	// "fail_open", "gap", "fallback", "choice", "prompt" or "own_files".
	kind, outcome     string
	guideline, reason string
	// The field "name" is the name of the guideline.
	name          string
	version       int
	gate          string
	agent, source string
	call          *effect.Analysis
	// The field "judged" is the text from which the call can be judged again.
	judged   string
	from, to string
	calls    int
	// The field "input" is the input of the tool, if a telemetry guideline requests it.
	input string
	// The field "task" is the session's task, or nil if it is unknown.
	task *guideline.Context
}

const maxPaths = 20

// log() adds a record to the spool, which the server reads. If this fails, the hook notifies the user and continues.
func (h *Host) log(e *wire.Event, r record) {
	if h.State == "" {
		return
	}
	if err := spool.Append(h.State, h.Now(), h.line(e, &r)); err != nil {
		h.notifyUnrecorded(e, err)
	}
}

func (h *Host) notifyUnrecorded(e *wire.Event, err error) {
	h.notify(e, "spool", "guardrails decides as always, but cannot record what it decides: "+err.Error()+". Run: guardrails doctor")
}

// notifyState notifies the user if records are not written to the usual folder.
func (h *Host) notifyState(e *wire.Event) {
	switch {
	case h.StateError == nil:
	case h.State == "":
		h.notifyUnrecorded(e, h.StateError)
	default:
		h.notify(e, "state", "guardrails writes its records to "+h.State+", a folder whose content may get lost: "+
			h.StateError.Error()+". Run: guardrails doctor")
	}
}

func (h *Host) line(e *wire.Event, r *record) []byte {
	out := spool.Record{
		Time: string(document.AppendTime(nil, h.Now())), ID: e.RecordID, Kind: r.kind, Outcome: r.outcome, Event: e.Name,
		SessionID: e.Session, AgentID: e.Agent,
		Agent: cmp.Or(r.agent, h.agent(e)), Project: h.root(e), Tool: e.Tool, ToolUseID: e.ToolUseID,
		GuidelineID: r.guideline, GuidelineName: r.name, GateType: r.gate,
		Version: r.version, Reason: masked(r.reason), Input: masked(r.input), Source: r.source, From: r.from,
		To: r.to, Calls: r.calls, Call: r.judged,
	}
	e.RecordID = "" // the next record must get a different id
	if r.task != nil {
		out.Tenant, out.Domain, out.Action = r.task.TenantID, r.task.Domain, r.task.Action
	}
	if r.call != nil {
		out.Paths, out.Events = touched(r.call)
	}
	if !h.Began.IsZero() {
		out.Micros = h.Now().Sub(h.Began).Microseconds()
	}
	return out.Line()
}

// touched() returns the paths that a call reads or changes, each with the kind of effect. It also returns the events of
// the call.
func touched(call *effect.Analysis) (paths, events []string) {
	for i := range call.Effects {
		e := &call.Effects[i]
		if e.Path != "" && len(paths) < maxPaths {
			paths = appendOnce(paths, string(e.Kind)+" "+masked(e.Path))
		}
		for _, event := range e.Events {
			events = appendOnce(events, string(event))
		}
	}
	return paths, events
}

func appendOnce(list []string, text string) []string {
	for _, have := range list {
		if have == text {
			return list
		}
	}
	return append(list, text)
}

func (j *judging) task() *guideline.Context {
	if j.cache == nil {
		return nil
	}
	return j.cache.Context()
}

// logVerdict records a decision and, if a telemetry guideline requests it, the input of the tool.
func (j *judging) logVerdict(d *decide.Decision) {
	r := decision(j.cache, d, j.call)
	r.input, r.judged = input(j.e, telemetry(d)), judged(j.e, j.cache, j.call, j.noted)
	j.h.log(j.e, r)
}

// logDecision records advice that the model receives after a call.
func (h *Host) logDecision(e *wire.Event, c *cache.Cache, d *decide.Decision, call *effect.Analysis) {
	r := decision(c, d, call)
	r.judged = rejudge.Advice
	h.log(e, r)
}

func decision(c *cache.Cache, d *decide.Decision, call *effect.Analysis) record {
	r := record{
		kind: "decision", outcome: string(d.Outcome), guideline: d.Guideline(), name: d.GuidelineName(),
		reason: d.Reason, call: call,
	}
	if len(d.Findings) > 0 {
		r.version, r.gate = d.Findings[0].Guideline.Version, d.Findings[0].Guideline.Action.GateType
	}
	if c != nil {
		r.source, r.agent, r.task = c.Source, c.Context().Agent, c.Context()
	}
	return r
}

// logPrompt records that a person sent a prompt, but not its text. The parameter "refusal" is what the person reads if
// the safety gate refused the prompt.
func (h *Host) logPrompt(e *wire.Event, refusal string) {
	r := record{kind: "prompt", outcome: "sent"}
	if refusal != "" {
		r.outcome = "refused"
	}
	h.log(e, r)
}

// logAllowed records a call to which no guideline objects. It does not record a call that a telemetry guideline
// excludes from the records.
func (h *Host) logAllowed(
	e *wire.Event, c *cache.Cache, call *effect.Analysis, watch *guideline.Action, noted *rejudge.Noted,
) {
	r := record{
		kind: "decision", outcome: string(decide.Allow), source: c.Source, agent: c.Context().Agent,
		call: call, task: c.Context(),
	}
	if watch != nil && !records(watch) {
		return
	}
	r.input, r.judged = input(e, watch), judged(e, c, call, noted)
	h.log(e, r)
}
