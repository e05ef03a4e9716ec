package hooks

import (
	"strings"
	"time"

	"guardrails/hooks/session"
	"guardrails/hooks/wire"
)

// Inject answers a prompt: the guidelines that matter for it are added to what the model reads, and kept for the tool
// calls that follow. It never stops a prompt.
func Inject(h *Host, e *wire.Event) wire.Outcome { return h.told(e, h.inject(e)) }

func (h *Host) inject(e *wire.Event) wire.Outcome {
	before := h.seen(e, wire.UserPromptSubmit)
	h.beat(e)
	if !e.Typed() {
		return wire.Outcome{}
	}
	var m messages
	h.closeGates(e, "")
	h.tidy(e)
	m.add(h.closeGap(e))
	if before {
		m.add(h.unseen(e))
	}
	said := h.keepChoice(e)
	m.add(said)
	h.tellState(e)
	return wire.Outcome{Context: h.guidance(e), Message: m.text()}
}

// Subagent answers the start of a subagent: it gets the guidelines for its role, and they are kept for its own calls.
func Subagent(h *Host, e *wire.Event) wire.Outcome {
	h.beat(e)
	return h.told(e, wire.Outcome{Context: h.guidance(e)})
}

// keepFor is how long the files of a session that went silent are kept.
const keepFor = 7 * 24 * time.Hour

// tidy keeps the session's files small. What cannot be tidied now is tidied at the next prompt.
func (h *Host) tidy(e *wire.Event) {
	if h.Dir == nil || e.Session == "" {
		return
	}
	_ = session.Trim(h.Dir, e.Session)
	_, _ = session.Sweep(h.Dir, h.Now(), keepFor)
}

// guidance is what the model reads: the guidelines, which are kept for the calls to come, or that there are none.
func (h *Host) guidance(e *wire.Event) string {
	a, err := h.ask(e)
	if err != nil {
		h.tell(e, "unreachable", h.unreachable(err))
		return h.unguarded()
	}
	if err := h.store(e, a); err != nil {
		h.tell(e, "cache", "guardrails cannot keep this session's guidelines ("+err.Error()+"); every tool call asks for them anew, which is slower. Run: guardrails doctor")
	}
	return a.injection
}

// seen reports whether a hook ran for an event of the session before.
func (h *Host) seen(e *wire.Event, event string) bool {
	if h.Dir == nil || e.Session == "" {
		return false
	}
	_, ok := h.Dir.Seen(session.BeatName(e.Session, event))
	return ok
}

// unseen says that the check of tool calls has not run in a session in which tools did.
func (h *Host) unseen(e *wire.Event) string {
	if h.Dir == nil || h.seen(e, wire.PreToolUse) {
		return ""
	}
	if !h.seen(e, wire.PostToolUse) && !h.seen(e, wire.PostToolUseFailure) && !h.usedTools(e) {
		return ""
	}
	h.log(e, record{kind: "gap", outcome: "unseen", reason: "tools ran, but the hook that checks them was not seen in this session"})
	return "guardrails has not been asked about any tool call of this session, though tools ran. Run: guardrails doctor"
}

// forgetCaches makes every agent of the session ask again.
func (h *Host) forgetCaches(e *wire.Event) {
	if h.Dir == nil || e.Session == "" {
		return
	}
	names, err := h.Dir.List(session.Prefix(e.Session))
	if err != nil {
		return
	}
	for _, name := range names {
		if strings.HasSuffix(name, ".json") {
			_, _ = h.Dir.Remove(name)
		}
	}
}

func (h *Host) unreachable(err error) string {
	return "guardrails cannot get its guidelines: " + err.Error() + ". " + h.meanwhile() + " Run: guardrails doctor"
}

// meanwhile says what happens to calls that cannot be checked.
func (h *Host) meanwhile() string {
	if h.Strict {
		return "Until it can, calls that change something are refused."
	}
	return "Until it can, calls that change something ask first, and reading goes on unchecked."
}

func (h *Host) unguarded() string {
	return "guardrails: the project's guidelines cannot be read at the moment. " + h.meanwhile()
}
