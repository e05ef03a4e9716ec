package hooks

import (
	"guardrails/decide"
	"guardrails/hooks/session"
	"guardrails/hooks/wire"
	"guardrails/internal/document"
)

// Stop answers the events at the end of a turn, a subagent or the session. It removes questions that were not approved
// and reports how many calls were not checked.
func Stop(h *Host, e *wire.Event) wire.Outcome {
	if isToolEvent(e) {
		return h.withNotices(e, AnswerOwn(h, e))
	}
	h.markAlive(e)
	var m messages
	m.add(h.endOwn(e))
	h.noteForgedLines(e)
	counter := ""
	switch e.Name {
	case wire.SubagentStop:
		h.closeGates(e, e.Agent)
		_, counter = h.showAnswer(e)
	case wire.SessionEnd:
		h.closeGatesOf(e, func(string) bool { return true })
		h.forget(e, decide.ForTurn, decide.ForSession)
		m.add(h.endUnguarded(e))
		h.forgetCaches(e)
	default:
		h.closeGates(e, "")
		m.add(h.endUnguarded(e))
		var said string
		said, counter = h.showAnswer(e)
		m.add(said)
	}
	return h.withNotices(e, wire.Outcome{Message: m.text(), Counter: counter})
}

// showAnswer sends a final answer of the model to the service if the user has switched on the detectors or the safety
// gate, which check the answer. It returns a line for the user, and a text that asks the model for a second answer.
func (h *Host) showAnswer(e *wire.Event) (said, counter string) {
	if !h.wantsAnswer(e) {
		return "", ""
	}
	text := memberText(e.Text, "last_assistant_message")
	if text == "" {
		return "", ""
	}
	request := h.request(e)
	request = appendField(request[:len(request)-1], "answer", wire.Shorten(text, promptLimit))
	if isAgain(e.Text) {
		request = append(request, `,"again":true`...)
	}
	answer, _, err := h.Ask(append(request, '}'))
	if err != nil {
		if h.checksTexts(e) {
			h.notify(e, "unanswered", "guardrails cannot check what the model answers: "+err.Error()+
				". The answer stands as it is. Run: guardrails doctor")
		}
		return "", "" // the next prompt says that the service does not reply
	}
	return memberText(answer, "message"), memberText(answer, "counter")
}

// wantsAnswer reports whether something checks the final answer: the safety gate, the output guard or the detectors.
// The detectors check only an answer that a person can read in the client.
func (h *Host) wantsAnswer(e *wire.Event) bool {
	if h.Dir == nil || e.Session == "" {
		return false
	}
	if how := h.Env(entrypoint); e.Name == wire.Stop && !isHeadless(how) {
		if _, wanted := h.Dir.Seen(session.AnswersName(e.Session)); wanted {
			e.TypedIn = how
			return true
		}
	}
	return h.checksTexts(e)
}

// checksTexts reports whether the safety gate or the output guard looked at the last prompt to which the service
// replied.
func (h *Host) checksTexts(e *wire.Event) bool {
	if h.Dir == nil || e.Session == "" {
		return false
	}
	_, checked := h.Dir.Seen(session.TurnName(e.Session))
	return checked
}

// isAgain reports whether the model gives this final answer because a hook has asked for another answer.
func isAgain(text []byte) bool {
	members, _ := document.Members(text)
	for _, m := range members {
		if m.Name == "stop_hook_active" {
			// In the arguments of a call, the client writes every field as a string.
			given := string(m.Raw)
			return given != "false" && given != `"false"` && given != `""`
		}
	}
	return false
}
