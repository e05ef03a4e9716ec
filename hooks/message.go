package hooks

import (
	"strings"

	"guardrails/hooks/session"
	"guardrails/hooks/wire"
)

// messages collects what the user is told.
type messages struct{ list []string }

func (m *messages) add(text string) {
	if text != "" {
		m.list = append(m.list, text)
	}
}

// once adds what a session's user is told one time only. Where that cannot be remembered it is told again.
func (m *messages) once(w *World, e *wire.Event, text string) {
	if text == "" || w.noticed(e, text) {
		return
	}
	m.add(text)
}

func (w *World) noticed(e *wire.Event, text string) bool {
	if w.Dir == nil || e.Session == "" {
		return false
	}
	if state, err := w.Dir.Ledger(e.Session); err == nil && state.Noticed(text) {
		return true
	}
	// What could not be noted is said again, which is the safe mistake.
	_ = w.Dir.Note(e.Session, session.Entry{Kind: session.Noticed, Name: text})
	return false
}

func (m *messages) text() string { return strings.Join(m.list, "\n") }
