package session

import (
	"fmt"
	"strings"
	"time"

	"guardrails/cli/app"
	"guardrails/service/fallback"
)

// line is the status in words.
func (s *status) line() string {
	var parts []string
	switch s.Guard {
	case guardOff:
		return "guardrails OFF: no hooks in the settings of this folder (guardrails init)"
	case guardUnknown:
		return "guardrails ?: " + s.Problem
	case guardReady:
		return "guardrails ready"
	case guardUnseen:
		parts = append(parts, "guardrails NOT SEEN: tool calls are not checked (guardrails doctor)")
	case guardOpen:
		parts = append(parts, "guardrails OPEN: nothing is checked")
	default:
		parts = append(parts, "guardrails on")
	}
	if s.Guidelines != nil && s.Guard != guardOpen {
		parts = append(parts, app.Count(*s.Guidelines, "guideline")+s.from())
	}
	if s.Unchecked > 0 {
		parts = append(parts, app.Count(s.Unchecked, "call")+" unchecked")
	}
	if s.Last != nil {
		parts = append(parts, s.Last.words())
	}
	return strings.Join(parts, " · ")
}

// from says where guidelines come from that are not the usual ones.
func (s *status) from() string {
	switch s.Source {
	case fallback.SourceSnapshot:
		return " (the last known ones)"
	case fallback.SourceStatic:
		return " (static rules)"
	}
	return ""
}

func (l *lastDecision) words() string {
	verb := "asked"
	if l.Outcome == "deny" {
		verb = "denied"
	}
	when := fmt.Sprintf("%d min ago", int(l.ago.Minutes()))
	if l.ago < time.Minute {
		when = "just now"
	}
	return strings.Join(strings.Fields(verb+" "+l.Guideline+" "+when), " ")
}
