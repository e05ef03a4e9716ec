package hooks

import (
	"strings"

	"guardrails/hooks/session"
	"guardrails/hooks/wire"
	"guardrails/internal/product"
)

const (
	static = "static"
	open   = "open"
	// The constant "question" is the name of the ledger entry about the question of how to continue during an outage.
	// The entry says that the user has seen the question.
	question = "question"
	// terminalClient is the entry point of a client that a person uses in a terminal. If an agent starts a client for a
	// single prompt, the client has a different entry point.
	terminalClient = "cli"
	entrypoint     = product.VariableEntrypoint
)

// keepChoice stores the answer if a prompt answers the question of how to continue during an outage. Only a person at a
// terminal may choose to continue without guidelines, and only after the question. Otherwise an agent could start a
// client, resume this session in that client, and make the choice itself.
func (h *Host) keepChoice(e *wire.Event) string {
	choice := parseChoice(e.Prompt)
	if choice == "" {
		return ""
	}
	if choice == open {
		if why := h.whyNotOpen(e); why != "" {
			h.log(e, record{kind: "choice", outcome: "refused", reason: why})
			return "guardrails: \"guardrails: open\" has no effect: " + why
		}
	}
	return h.keepAnswer(e, choice)
}

// parseChoice returns the choice in a prompt such as "guardrails: open". It returns "" for other prompts.
func parseChoice(prompt string) string {
	words := strings.Fields(strings.ToLower(prompt))
	if len(words) != 2 || words[0] != "guardrails:" || words[1] != static && words[1] != open {
		return ""
	}
	return words[1]
}

// whyNotOpen returns the reason why the user cannot choose to continue without guidelines. It returns "" if the user
// can choose this.
func (h *Host) whyNotOpen(e *wire.Event) string {
	if how := h.Env(entrypoint); how != terminalClient {
		return "this prompt was not typed into the client's terminal (" + entrypoint + " is " + how +
			"). In a terminal of your own, run: guardrails fallback open"
	}
	if h.Dir == nil {
		return ""
	}
	state, err := session.ReadLedger(h.Dir, e.Session)
	switch {
	case err != nil:
		return "the session's record cannot be read: " + err.Error()
	case !state.Noticed(question):
		return "there was no question to answer, because the session's guidelines can be read."
	}
	return ""
}

func (h *Host) keepAnswer(e *wire.Event, choice string) string {
	if h.Dir == nil {
		return "guardrails cannot save your choice: " + h.DirError.Error()
	}
	if err := session.Note(h.Dir, e.Session, session.Entry{Kind: session.Chose, Choice: choice}); err != nil {
		return "guardrails cannot save your choice: " + err.Error()
	}
	h.forgetCaches(e)
	h.log(e, record{kind: "choice", outcome: choice, reason: "answered by a prompt"})
	if choice == open {
		return "guardrails: if the guidelines cannot be reached, this session continues without them. " +
			"Calls that go unchecked are counted and shown."
	}
	return "guardrails: if the guidelines cannot be reached, the last known guidelines apply in this session, " +
		"or those that can still be read."
}
