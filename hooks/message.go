package hooks

import (
	"strings"

	"guardrails/hooks/session"
	"guardrails/hooks/wire"
)

// messages collects what the user is told each time.
type messages struct{ list []string }

func (m *messages) add(text string) {
	if text != "" {
		m.list = append(m.list, text)
	}
}

func (m *messages) text() string { return strings.Join(m.list, "\n") }

// tell has a session's user told something once, together with whatever the event is answered.
func (h *Host) tell(e *wire.Event, key, text string) {
	e.Notices = append(e.Notices, wire.Notice{Key: key, Text: text})
}

// told adds to an outcome the notices that the session's user does not know yet.
func (h *Host) told(e *wire.Event, o wire.Outcome) wire.Outcome {
	if len(e.Notices) == 0 {
		return o
	}
	m := messages{}
	m.add(o.Message)
	for _, n := range e.Notices {
		if !h.noticed(e, n.Key, shows(e, &o)) {
			m.add(n.Text)
		}
	}
	e.Notices = nil
	o.Message = m.text()
	return o
}

// shows reports whether the client shows a message beside an outcome: it does not in a subagent, and where a person is
// asked only after they said yes.
func shows(e *wire.Event, o *wire.Outcome) bool {
	return e.Agent == "" && e.Name != wire.SubagentStart && o.Verdict != wire.Ask
}

// noticed reports whether a session's user was told, and keeps that they are told now. What cannot be kept is said again,
// which is the safe mistake.
func (h *Host) noticed(e *wire.Event, key string, shown bool) bool {
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
