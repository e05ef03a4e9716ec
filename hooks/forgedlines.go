package hooks

import (
	"guardrails/hooks/session"
	"guardrails/hooks/wire"
	"guardrails/internal/private"
)

// noteForgedLines notifies the user once if lines of the session's record or of the saved answers have no valid
// signature. Decisions ignore such lines without a message. The user sees no notice of a subagent, so the next event of the
// main agent looks for such lines.
func (h *Host) noteForgedLines(e *wire.Event) {
	if h.Dir == nil || e.Session == "" || e.Agent != "" {
		return
	}
	state, err := session.ReadLedger(h.Dir, e.Session)
	if err != nil {
		return // the next call says that the record cannot be used
	}
	if state.Unreadable > 0 && !state.Noticed("lines") {
		h.noteUnsigned(e, "lines", "a line in its record of this session", private.ErrUnsigned)
	}
	if session.HasForgedAnswers(h.Dir, e.Session) && !state.Noticed("answers") {
		h.noteUnsigned(e, "answers", "a saved answer to a question", private.ErrUnsigned)
	}
}
