package hooks

import (
	"cmp"
	"strconv"

	"guardrails/decide"
	"guardrails/detect/effect"
	"guardrails/guideline"
	"guardrails/hooks/cache"
	"guardrails/hooks/wire"
	"guardrails/internal/document"
	"guardrails/internal/spool"
)

// record is one line of the spool: what was decided or what went wrong. It holds no prompt and no file's content.
type record struct {
	// kind is decision, gate, exception, allow_once, unchecked, unreadable, fail_open, gap, fallback, choice.
	kind, outcome     string
	guideline, reason string
	version           int
	gate              string
	agent, source     string
	call              *effect.Analysis
	from, to          string
	calls             int
	// input is what the tool was given, where a telemetry guideline wants all of it.
	input string
	// task is what the session works on, where that is known.
	task *guideline.Context
}

// maxPaths is how many paths of a call are recorded.
const maxPaths = 20

// log leaves a record for the server to take in. Where it cannot be left the user is told: a hook must not fail for its
// diary, nor keep silent about it.
func (h *Host) log(e *wire.Event, r record) {
	if h.State == "" {
		return
	}
	if err := spool.Append(h.State, h.Now(), h.line(e, r)); err != nil {
		h.tellUnrecorded(e, err)
	}
}

func (h *Host) tellUnrecorded(e *wire.Event, err error) {
	h.tell(e, "spool", "guardrails decides as always, but cannot record what it decides: "+err.Error()+". Run: guardrails doctor")
}

// tellState has the user told that records do not go where they should.
func (h *Host) tellState(e *wire.Event) {
	switch {
	case h.StateError == nil:
	case h.State == "":
		h.tellUnrecorded(e, h.StateError)
	default:
		h.tell(e, "state", "guardrails records what it decides in "+h.State+", from where it may get lost: "+h.StateError.Error()+". Run: guardrails doctor")
	}
}

func (h *Host) line(e *wire.Event, r record) []byte {
	out := appendField(append(make([]byte, 0, 1024), '{'), "time", string(document.AppendTime(nil, h.Now())))
	for _, f := range [...]struct{ name, value string }{
		{"kind", r.kind},
		{"outcome", r.outcome},
		{"event", e.Name},
		{"session_id", e.Session},
		{"agent_id", e.Agent},
		{"agent", cmp.Or(r.agent, h.agent(e))},
		{"project", h.root(e)},
		{"tool", e.Tool},
		{"tool_use_id", e.ToolUseID},
		{"guideline_id", r.guideline},
		{"gate_type", r.gate},
		{"reason", masked(r.reason)},
		{"input", masked(r.input)},
		{"source", r.source},
		{"from", r.from},
		{"to", r.to},
	} {
		if f.value != "" {
			out = appendField(out, f.name, f.value)
		}
	}
	if r.version != 0 {
		out = strconv.AppendInt(append(out, `,"guideline_version":`...), int64(r.version), 10)
	}
	if r.calls != 0 {
		out = strconv.AppendInt(append(out, `,"calls":`...), int64(r.calls), 10)
	}
	return append(h.appendTook(appendTask(appendCall(out, r.call), r.task)), '}')
}

// appendTask adds whose guidelines were asked and for what.
func appendTask(out []byte, task *guideline.Context) []byte {
	if task == nil {
		return out
	}
	for _, f := range [...]struct{ name, value string }{{"tenant_id", task.TenantID}, {"domain", task.Domain}, {"action", task.Action}} {
		if f.value != "" {
			out = appendField(out, f.name, f.value)
		}
	}
	return out
}

// appendTook adds how long it took so far.
func (h *Host) appendTook(out []byte) []byte {
	if h.Began.IsZero() {
		return out
	}
	return strconv.AppendInt(append(out, `,"micros":`...), h.Now().Sub(h.Began).Microseconds(), 10)
}

// appendCall adds the paths that a call touches and the events that it means.
func appendCall(out []byte, call *effect.Analysis) []byte {
	if call == nil {
		return out
	}
	var paths, events []string
	for i := range call.Effects {
		e := &call.Effects[i]
		if e.Path != "" && len(paths) < maxPaths {
			paths = appendOnce(paths, string(e.Kind)+" "+masked(e.Path))
		}
		for _, event := range e.Events {
			events = appendOnce(events, string(event))
		}
	}
	out = appendList(out, "paths", paths)
	return appendList(out, "events", events)
}

func appendOnce(list []string, text string) []string {
	for _, have := range list {
		if have == text {
			return list
		}
	}
	return append(list, text)
}

func appendList(out []byte, name string, list []string) []byte {
	if len(list) == 0 {
		return out
	}
	out = append(document.AppendText(append(out, ','), name), ':', '[')
	for i, text := range list {
		if i > 0 {
			out = append(out, ',')
		}
		out = document.AppendText(out, text)
	}
	return append(out, ']')
}

// task is what the session works on; nil where that is not known.
func (j *judging) task() *guideline.Context {
	if j.cache == nil {
		return nil
	}
	return &j.cache.Context
}

// logVerdict records a call that something is said about.
func (j *judging) logVerdict(d *decide.Decision) {
	r := decision(j.cache, d, j.call)
	r.input = j.input(j.telemetry())
	j.h.log(j.e, r)
}

func (h *Host) logDecision(e *wire.Event, c *cache.Cache, d *decide.Decision, call *effect.Analysis) {
	h.log(e, decision(c, d, call))
}

func decision(c *cache.Cache, d *decide.Decision, call *effect.Analysis) record {
	r := record{kind: "decision", outcome: string(d.Outcome), guideline: d.Guideline(), reason: d.Reason, call: call}
	if len(d.Findings) > 0 {
		r.version, r.gate = d.Findings[0].Guideline.Version, d.Findings[0].Guideline.Action.GateType
	}
	if c != nil {
		r.source, r.agent, r.task = c.Source, c.Context.Agent, &c.Context
	}
	return r
}

// logAllowed records a call that nothing objects to, unless a telemetry guideline asks for less.
func (h *Host) logAllowed(e *wire.Event, c *cache.Cache, call *effect.Analysis, j *judging) {
	r := record{kind: "decision", outcome: string(decide.Allow), source: c.Source, agent: c.Context.Agent, call: call, task: &c.Context}
	if j != nil {
		a := j.telemetry()
		if a != nil && !records(a) {
			return
		}
		r.input = j.input(a)
	}
	h.log(e, r)
}
