package hooks

import (
	"strings"

	"guardrails/hooks/session"
	"guardrails/hooks/wire"
)

type messages struct{ list []string }

func (m *messages) add(text string) {
	if text != "" {
		m.list = append(m.list, text)
	}
}

func (m *messages) text() string { return strings.Join(m.list, "\n") }

// notify() adds a notice to the answer to an event. The user of a session sees each notice only once. A notice without
// a key is always shown.
func (h *Host) notify(e *wire.Event, key, text string) {
	e.Notices = append(e.Notices, wire.Notice{Key: key, Text: text})
}

// withNotices adds the notices of an event to an outcome, except for the notices that the user has already seen.
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

// isShown reports whether the client shows the message of an outcome. The client shows no message in a subagent and at the
// end of a session. If the outcome asks a person, the client shows the message only after the user says yes.
func isShown(e *wire.Event, o *wire.Outcome) bool {
	return e.Agent == "" && e.Name != wire.SubagentStart && e.Name != wire.SessionEnd && o.Verdict != wire.Ask
}

// markNoticed reports whether the user has already seen a notice. If the client shows the notice now, markNoticed
// records that the user has seen it. If this cannot be recorded, the user sees the notice again later.
func (h *Host) markNoticed(e *wire.Event, key string, shown bool) bool {
	if h.Dir == nil || e.Session == "" || key == "" {
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
