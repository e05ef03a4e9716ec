package hooks

import (
	"strings"

	"guardrails/hooks/session"
	"guardrails/hooks/wire"
)

// messages collects sentences for the user.
type messages struct{ list []string }

func (m *messages) add(text string) {
	if text != "" {
		m.list = append(m.list, text)
	}
}

func (m *messages) text() string { return strings.Join(m.list, "\n") }

// notify shows a notice to the user of a session, together with the answer to the event. It shows each notice only
// once.
func (h *Host) notify(e *wire.Event, key, text string) {
	e.Notices = append(e.Notices, wire.Notice{Key: key, Text: text})
}

// withNotices adds the notices that the user has not seen yet to an outcome.
func (h *Host) withNotices(e *wire.Event, o wire.Outcome) wire.Outcome {
	if len(e.Notices) == 0 {
		return o
	}
	m := messages{}
	m.add(o.Message)
	for _, n := range e.Notices {
		if !h.markNoticed(e, n.Key, isShown(e, &o)) {
			m.add(n.Text)
		}
	}
	e.Notices = nil
	o.Message = m.text()
	return o
}

// isShown reports whether the client shows the message of an outcome. The client shows no message in a subagent. If
// the outcome is a question, the client shows the message only after the user says yes.
func isShown(e *wire.Event, o *wire.Outcome) bool {
	return e.Agent == "" && e.Name != wire.SubagentStart && o.Verdict != wire.Ask
}

// markNoticed reports whether the user has already seen a notice, and records that it is shown now. If it cannot record
// this, the notice is shown again.
func (h *Host) markNoticed(e *wire.Event, key string, shown bool) bool {
	if h.Dir == nil || e.Session == "" {
		return false
	}
	if state, err := session.ReadLedger(h.Dir, e.Session); err == nil && state.Noticed(key) {
		return true
	}
	if shown {
		_ = session.Note(h.Dir, e.Session, session.Entry{Kind: session.Noticed, Name: key})
	}
	return false
}
