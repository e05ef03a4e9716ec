package hooks

import (
	"strings"

	"guardrails/decide"
	"guardrails/hooks/session"
	"guardrails/hooks/wire"
	"guardrails/internal/document"
	"guardrails/internal/private"
)

// The client does not tell the hook that a person said yes. The hook learns about the approval when the tool runs after
// the question. The file of the question lists the guidelines because of which the person was asked. For each
// guideline, it says how long an approval is valid. An approval is valid only for the agent that made the call.

// remember() records that a person said yes to a question.
func (h *Host) remember(e *wire.Event, question []byte) {
	of := *e
	of.Agent, of.Tool = memberText(question, "agent_id"), memberText(question, "tool")
	members, _ := document.Members(question)
	for _, m := range members {
		text, _ := document.Text(m.Raw)
		scope, question, ok := strings.Cut(text, " ")
		if m.Name != "remember" || !ok {
			continue
		}
		guideline, _, _ := strings.Cut(question, " ")
		r := record{kind: "remember", outcome: scope, guideline: guideline}
		if err := session.Agree(h.Dir, e.Session, of.Agent, question, scope); err != nil {
			r.outcome, r.reason = "failed", "the approval cannot be saved: "+err.Error()
		}
		h.log(&of, r)
	}
}

// Agreed returns a function that lists the questions to which a person has said yes for an agent of a session.
func Agreed(dir *private.Dir, id, agent string) func() []string {
	if dir == nil || id == "" {
		return nil
	}
	return func() []string { return session.Agreed(dir, id, agent) }
}

// forget() removes answers that are no longer valid.
func (h *Host) forget(e *wire.Event, scopes ...decide.Remember) {
	if h.Dir == nil || e.Session == "" {
		return
	}
	for _, scope := range scopes {
		if err := session.Forget(h.Dir, e.Session, string(scope)); err != nil {
			h.notify(e, "forget", "guardrails cannot remove an approval that you gave ("+err.Error()+
				"), so it is still valid. Run: guardrails doctor")
		}
	}
}
