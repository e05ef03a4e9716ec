package hooks

import (
	"guardrails/decide"
	"guardrails/detect/effect"
	"guardrails/evaluator"
	"guardrails/guideline/pattern"
	"guardrails/hooks/wire"
)

// answerUnchecked answers a call if there are no guidelines. If the call may change something, it asks a person.
// In a strict project it denies the call. It allows and counts a call that only reads.
func (h *Host) answerUnchecked(e *wire.Event, call *effect.Analysis, cause error) wire.Outcome {
	if decide.Tampers(call) {
		return h.denyTampering(e, call, nil)
	}
	h.notify(e, "unreachable", h.unreachable(e, cause))
	reason := "guardrails could not check this call: " + cause.Error() + "."
	if !changes(call) {
		h.countUnguarded(e, cause.Error())
		return wire.Outcome{}
	}
	o := h.cannotCheck(reason)
	h.log(e, record{kind: "unchecked", outcome: verdictName(o.Verdict), reason: cause.Error(), call: call})
	return o
}

// cannotCheck returns the answer for a call that could not be checked: it asks a person, or denies the call in a strict
// project.
func (h *Host) cannotCheck(reason string) wire.Outcome {
	if h.Strict {
		reason += " This project is strict: a call that cannot be checked is refused. Tell the user to run: guardrails doctor"
		return wire.Outcome{Verdict: wire.Deny, Reason: reason}
	}
	return wire.Outcome{Verdict: wire.Ask, Reason: reason + " A person must decide."}
}

// Unreadable returns the answer to an event if the event cannot be parsed or the hook failed.
func Unreadable(h *Host, e *wire.Event, cause error) wire.Outcome {
	o := h.answerUnreadable(e, cause)
	h.log(e, record{kind: "unreadable", outcome: verdictName(o.Verdict), reason: cause.Error()})
	return o
}

func (h *Host) answerUnreadable(e *wire.Event, cause error) wire.Outcome {
	switch e.Name {
	case wire.SessionStart, wire.UserPromptSubmit, wire.SubagentStart, wire.PostToolUse, wire.PostToolUseFailure,
		wire.Stop, wire.SubagentStop, wire.SessionEnd:
		message := "guardrails could not answer the client's " + e.Name + ": " + cause.Error() + ". Run: guardrails doctor"
		return wire.Outcome{Message: message}
	}
	// An event with an unknown name may come before a tool call, so it is answered like a tool call.
	e.Name = wire.PreToolUse
	return h.cannotCheck("guardrails could not check this call: " + cause.Error() + ".")
}

// changes() reports whether a call may do more than read files and fetch URLs.
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

// harmlessTool reports whether a tool has no effect outside the client, so its calls need no check.
func harmlessTool(tool string) bool {
	switch tool {
	case "WebSearch", "TodoWrite", "TodoRead", "TaskCreate", "TaskUpdate", "TaskList", "TaskGet", "TaskOutput",
		"AskUserQuestion", "ToolSearch", "EnterPlanMode", "ExitPlanMode":
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

func emptySet() *evaluator.Set {
	// Compile() fails only if a guideline is wrong.
	set, _ := evaluator.Compile(nil)
	return set
}
