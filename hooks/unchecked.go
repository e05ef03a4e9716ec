package hooks

import (
	"guardrails/decide"
	"guardrails/detect/effect"
	"guardrails/evaluator"
	"guardrails/guideline/pattern"
	"guardrails/hooks/wire"
)

// unchecked answers a call for which no guidelines could be had at all: what changes something asks a person (or is
// refused where the project is strict), what only reads passes and is counted.
func (w *World) unchecked(e *wire.Event, call *effect.Analysis, cause error) wire.Outcome {
	if decide.Tampers(call) {
		return w.denyTampering(e, call, nil)
	}
	w.tell(e, "unreachable", w.unreachable(cause))
	reason := "guardrails could not check this call: " + cause.Error() + "."
	if !changes(call) {
		w.countGap(e, cause.Error())
		return wire.Outcome{}
	}
	o := w.uncertain(reason)
	w.log(e, record{kind: "unchecked", outcome: verdictName(o.Verdict), reason: cause.Error(), call: call})
	return o
}

// uncertain is the outcome of a call that could not be checked.
func (w *World) uncertain(reason string) wire.Outcome {
	if w.Strict {
		return wire.Outcome{Verdict: wire.Deny, Reason: reason + " This project is strict: what cannot be checked is refused. Tell the user, who can run: guardrails doctor"}
	}
	return wire.Outcome{Verdict: wire.Ask, Reason: reason + " A person must decide."}
}

// Unreadable answers an event that could not be understood, or that the hook broke on.
func Unreadable(w *World, e *wire.Event, cause error) wire.Outcome {
	o := w.unanswered(e, cause)
	w.log(e, record{kind: "unreadable", outcome: verdictName(o.Verdict), reason: cause.Error()})
	return o
}

func (w *World) unanswered(e *wire.Event, cause error) wire.Outcome {
	switch e.Name {
	case wire.UserPromptSubmit, wire.SubagentStart, wire.PostToolUse, wire.PostToolUseFailure, wire.Stop, wire.SubagentStop, wire.SessionEnd:
		return wire.Outcome{Message: "guardrails could not answer the client's " + e.Name + ": " + cause.Error() + ". Run: guardrails doctor"}
	}
	// An event of a new name must not pass for harmless.
	e.Name = wire.PreToolUse
	return w.uncertain("guardrails could not check this call: " + cause.Error() + ".")
}

// changes reports whether a call may do more than read.
func changes(call *effect.Analysis) bool {
	for i := range call.Effects {
		switch e := &call.Effects[i]; e.Kind {
		case effect.Read, effect.Fetch:
		case effect.Use:
			if pattern.FamilyOf(call.Tool) != pattern.ReadFamily && !harmlessTool(call.Tool) {
				return true
			}
		case effect.Run:
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
