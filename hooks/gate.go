package hooks

import (
	"errors"

	"guardrails/decide"
	"guardrails/hooks/session"
	"guardrails/hooks/wire"
	"guardrails/internal/document"
	"guardrails/internal/private"
	"guardrails/internal/product"
)

// A question to a person is stored in a file until it is answered. The client does not report the answer. So a tool
// that ran counts as approved, and a tool that never ran counts as rejected.

// awaitPerson saves the question about a call in a file.
func (h *Host) awaitPerson(e *wire.Event, d *decide.Decision) {
	if h.Dir == nil || e.Session == "" || e.ToolUseID == "" {
		return
	}
	out := appendField([]byte{'{'}, "guideline", d.Guideline())
	out = appendField(out, "guideline_name", d.GuidelineName())
	out = appendField(out, "gate_type", d.Findings[0].Guideline.Action.GateType)
	out = appendField(out, "agent_id", e.Agent)
	out = appendField(out, "tool", e.Tool)
	out = appendField(out, "tool_use_id", e.ToolUseID)
	out = appendField(out, "reason", masked(d.Reason))
	for _, yes := range d.Remember {
		out = appendField(out, "remember", string(yes.For)+" "+yes.Question)
	}
	name := session.AskName(e.Session, e.ToolUseID)
	if err := h.Dir.Write(name, h.Dir.KeyOf(name).Sign(append(out, '}', '\n'))); err != nil {
		reason := "the answer to this question cannot be recorded: " + err.Error()
		h.log(e, record{kind: "gap", outcome: "gate", guideline: d.Guideline(), reason: reason})
	}
}

// approved() removes the file of a question, because the tool has run.
func (h *Host) approved(e *wire.Event) {
	if h.Dir == nil || e.Session == "" || e.ToolUseID == "" {
		return
	}
	name := session.AskName(e.Session, e.ToolUseID)
	text, err := h.Dir.ReadSigned(name, 1<<16)
	if err != nil {
		h.noteUnsigned(e, name, "a question that waits for an answer", err)
		return
	}
	if won, err := h.Dir.Remove(name); won && err == nil {
		h.logGate(e, text, "approved")
		h.remember(e, text)
		if _, on := h.Dir.Seen(product.ClockFile); on {
			// If this fails, the clock of the hyperfocus detector does not know that the person was present. In that
			// case, the detector can count a pause that did not happen.
			_ = h.Dir.Append(product.PresenceFile, []byte(document.FormatTime(h.Now())))
		}
	}
}

// closeGates removes the open questions of an agent and records them as rejected, because their tools never ran. It
// returns the texts of these questions.
func (h *Host) closeGates(e *wire.Event, agent string) []string {
	return h.closeGatesOf(e, func(of string) bool { return of == agent })
}

func (h *Host) closeGatesOf(e *wire.Event, meant func(agent string) bool) (questions []string) {
	if h.Dir == nil || e.Session == "" {
		return nil
	}
	names, err := h.Dir.List(session.AskPrefix(e.Session))
	if err != nil {
		return nil
	}
	for _, name := range names {
		text, err := h.Dir.ReadSigned(name, 1<<16)
		h.noteUnsigned(e, "question", "an open question", err)
		// If the key cannot be read, every question looks forged, and a subagent may still wait for the answer.
		if _, broken := h.Dir.Key(); broken == nil && errors.Is(err, private.ErrUnsigned) {
			_, _ = h.Dir.Remove(name) // otherwise the next event notes it again
		}
		if err != nil || !meant(memberText(text, "agent_id")) {
			continue
		}
		if won, err := h.Dir.Remove(name); won && err == nil {
			h.logGate(e, text, "rejected")
			questions = append(questions, memberText(text, "reason"))
		}
	}
	return questions
}

// maxRefused limits the number of rejected questions in the text for the model. maxQuestion limits the length of each
// question.
const (
	maxRefused  = 3
	maxQuestion = 500
)

// refused() returns a text that tells the model which questions the user has rejected. The client itself only tells the
// model that the user said no.
func refused(questions []string) string {
	var lines []string
	for _, question := range questions {
		if question != "" && len(lines) < maxRefused {
			lines = append(lines, "The user was asked and did not approve: "+wire.Shorten(question, maxQuestion))
		}
	}
	return joined(lines...)
}

func (h *Host) logGate(e *wire.Event, question []byte, result string) {
	of := *e
	of.Agent, of.Tool = memberText(question, "agent_id"), memberText(question, "tool")
	of.ToolUseID = memberText(question, "tool_use_id")
	h.log(&of, record{
		kind: "gate", outcome: result, guideline: memberText(question, "guideline"), gate: memberText(question, "gate_type"),
		name: memberText(question, "guideline_name"),
	})
}
