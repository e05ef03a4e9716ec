package hooks

import (
	"strings"
	"time"

	"guardrails/hooks/session"
	"guardrails/hooks/wire"
)

// Inject answers a prompt: the guidelines that matter for it are added to what the model reads, and kept for the tool
// calls that follow. It never stops a prompt.
func Inject(w *World, e *wire.Event) wire.Outcome { return w.told(e, w.inject(e)) }

func (w *World) inject(e *wire.Event) wire.Outcome {
	before := w.seen(e, wire.UserPromptSubmit)
	w.beat(e)
	if !e.Typed() {
		return wire.Outcome{}
	}
	var m messages
	w.closeGates(e, "")
	w.tidy(e)
	m.add(w.closeGap(e))
	if before {
		m.add(w.unseen(e))
	}
	said := w.keepChoice(e)
	m.add(said)
	w.tellState(e)
	return wire.Outcome{Context: w.guidance(e), Message: m.text()}
}

// Subagent answers the start of a subagent: it gets the guidelines for its role, and they are kept for its own calls.
func Subagent(w *World, e *wire.Event) wire.Outcome {
	w.beat(e)
	return w.told(e, wire.Outcome{Context: w.guidance(e)})
}

// keepFor is how long the files of a session that went silent are kept.
const keepFor = 7 * 24 * time.Hour

// tidy keeps the session's files small. What cannot be tidied now is tidied at the next prompt.
func (w *World) tidy(e *wire.Event) {
	if w.Dir == nil || e.Session == "" {
		return
	}
	_ = session.Trim(w.Dir, e.Session)
	_, _ = session.Sweep(w.Dir, w.Now(), keepFor)
}

// guidance is what the model reads: the guidelines, which are kept for the calls to come, or that there are none.
func (w *World) guidance(e *wire.Event) string {
	a, err := w.ask(e)
	if err != nil {
		w.tell(e, "unreachable", w.unreachable(err))
		return w.unguarded()
	}
	if err := w.store(e, a); err != nil {
		w.tell(e, "cache", "guardrails cannot keep this session's guidelines ("+err.Error()+"); every tool call asks for them anew, which is slower. Run: guardrails doctor")
	}
	return a.injection
}

// seen reports whether a hook ran for an event of the session before.
func (w *World) seen(e *wire.Event, event string) bool {
	if w.Dir == nil || e.Session == "" {
		return false
	}
	_, ok := w.Dir.Seen(session.BeatName(e.Session, event))
	return ok
}

// unseen says that the check of tool calls has not run in a session in which tools did.
func (w *World) unseen(e *wire.Event) string {
	if w.Dir == nil || w.seen(e, wire.PreToolUse) {
		return ""
	}
	if !w.seen(e, wire.PostToolUse) && !w.seen(e, wire.PostToolUseFailure) && !w.usedTools(e) {
		return ""
	}
	w.log(e, record{kind: "gap", outcome: "unseen", reason: "tools ran, but the hook that checks them was not seen in this session"})
	return "guardrails has not been asked about any tool call of this session, though tools ran. Run: guardrails doctor"
}

// forgetCaches makes every agent of the session ask again.
func (w *World) forgetCaches(e *wire.Event) {
	if w.Dir == nil || e.Session == "" {
		return
	}
	names, err := w.Dir.List(session.Prefix(e.Session))
	if err != nil {
		return
	}
	for _, name := range names {
		if strings.HasSuffix(name, ".json") {
			_, _ = w.Dir.Remove(name)
		}
	}
}

func (w *World) unreachable(err error) string {
	return "guardrails cannot get its guidelines: " + err.Error() + ". " + w.meanwhile() + " Run: guardrails doctor"
}

// meanwhile says what happens to calls that cannot be checked.
func (w *World) meanwhile() string {
	if w.Strict {
		return "Until it can, calls that change something are refused."
	}
	return "Until it can, calls that change something ask first, and reading goes on unchecked."
}

func (w *World) unguarded() string {
	return "guardrails: the project's guidelines cannot be read at the moment. " + w.meanwhile()
}
