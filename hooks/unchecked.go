package hooks

import (
	"guardrails/detect/tooluse"
	"guardrails/evaluator"
	"guardrails/guideline"
	"guardrails/hooks/wire"
)

// unchecked answers a call for which no guidelines could be had at all: what changes something asks a person (or is
// refused where the project is strict), what only reads passes and is counted.
func (w *World) unchecked(e *wire.Event, call *tooluse.Analysis, cause error) wire.Outcome {
	if tampers(call) {
		j := &judging{w: w, e: e, call: call}
		return j.denied(tampering(call))
	}
	var m messages
	m.once(w, e, w.unreachable(cause))
	reason := "guardrails could not check this call: " + cause.Error() + "."
	if !changes(call) {
		w.countGap(e, cause.Error())
		return wire.Outcome{Message: m.text()}
	}
	o := wire.Outcome{Verdict: wire.Ask, Reason: reason + " A person must decide.", Message: m.text()}
	if w.Strict {
		o.Verdict, o.Reason = wire.Deny, reason+" This project is strict: what cannot be checked is refused. Tell the user, who can run: guardrails doctor"
	}
	w.log(e, record{kind: "unchecked", outcome: verdictName(o.Verdict), reason: cause.Error(), call: call})
	return o
}

// Unreadable answers an event that could not be understood.
func Unreadable(w *World, e *wire.Event, cause error) wire.Outcome {
	w.log(e, record{kind: "unreadable", outcome: e.Name, reason: cause.Error()})
	if e.Name != wire.PreToolUse {
		return wire.Outcome{Message: "guardrails could not read what the client sent: " + cause.Error() + ". Run: guardrails doctor"}
	}
	o := wire.Outcome{Verdict: wire.Ask, Reason: "guardrails could not check this call: " + cause.Error() + ". A person must decide."}
	if w.Strict {
		o.Verdict = wire.Deny
	}
	return o
}

// changes reports whether a call may do more than read.
func changes(call *tooluse.Analysis) bool {
	for i := range call.Effects {
		switch e := &call.Effects[i]; e.Kind {
		case tooluse.Read, tooluse.Fetch:
		case tooluse.Use:
			if guideline.FamilyOf(call.Tool) != guideline.ReadFamily && !harmlessTool(call.Tool) {
				return true
			}
		case tooluse.Run:
			if !e.Inert {
				return true
			}
		default:
			return true
		}
	}
	return false
}

// harmlessTool reports whether a tool of the client keeps to itself what it does.
func harmlessTool(tool string) bool {
	switch tool {
	case "WebSearch", "TodoWrite", "TodoRead", "TaskCreate", "TaskUpdate", "TaskList", "TaskGet", "TaskOutput", "AskUserQuestion", "ToolSearch", "EnterPlanMode", "ExitPlanMode":
		return true
	}
	return false
}

func verdictName(v wire.Verdict) string {
	switch v {
	case wire.Deny:
		return "deny"
	case wire.Ask:
		return "ask"
	}
	return "allow"
}

// nothing is a set without guidelines.
func nothing() *evaluator.Set {
	// Without guidelines there is nothing that could be wrong.
	set, _ := evaluator.Compile(nil)
	return set
}
