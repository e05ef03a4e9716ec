package hooks

import (
	"bytes"
	"strings"
	"time"

	"guardrails/decide"
	"guardrails/hooks/session"
	"guardrails/hooks/wire"
	"guardrails/internal/document"
)

// Inject handles the events SessionStart, UserPromptSubmit and MessageDisplay. It also handles the events of tool calls
// if another hook passes them on. At SessionStart and UserPromptSubmit, it tells the model the parts of the guidelines
// that the model does not know yet, and caches the guidelines for the following tool calls. Only the safety gate can
// stop a prompt.
func Inject(h *Host, e *wire.Event) wire.Outcome {
	if isToolEvent(e) {
		return h.withNotices(e, AnswerOwn(h, e))
	}
	if e.Name == wire.MessageDisplay {
		return wire.Outcome{Display: h.masked(e)}
	}
	if e.Name == wire.SessionStart {
		h.noteFirst()
		own := h.beginOwn(e, h.mustHaveList(e))
		h.markAlive(e)
		return h.withNotices(e, wire.Outcome{Message: own, Context: h.begin(e)})
	}
	return h.withNotices(e, h.inject(e))
}

// mustHaveList reports at the start of a session whether its list must exist. A conversation that is compacted has had
// prompts, so it must have a list. A conversation that is resumed may have lost it together with the other files of the
// session, for example because the computer was restarted.
func (h *Host) mustHaveList(e *wire.Event) bool {
	switch memberText(e.Text, "source") {
	case "compact":
		return true
	case "resume":
		return h.hasRun(e, wire.SessionStart) || h.hasRun(e, wire.UserPromptSubmit)
	}
	return h.hadList(e)
}

// masked() returns a part of the model's answer in which personal data is masked. It returns "" if the event contains
// no such part, or if the service does not reply. If masked() returns "", the client shows the answer unchanged.
func (h *Host) masked(e *wire.Event) string {
	shown := memberText(e.Text, "delta")
	if shown == "" {
		return ""
	}
	request := bytes.TrimSuffix(h.request(e), []byte{'}'})
	answer, _, _ := h.Ask(append(document.AppendText(append(request, `,"display":`...), shown), '}'))
	return memberText(answer, "display")
}

// begin() returns the whole text about the guidelines for the event SessionStart. The client sends this event when it
// starts, resumes, clears or compacts a conversation, and after that the model no longer has the earlier text.
func (h *Host) begin(e *wire.Event) string {
	if h.Dir == nil || e.Session == "" {
		return "" // the next prompt requests the whole text
	}
	session.ForgetTold(h.Dir, e.Session)
	a, err := h.ask(e)
	if err != nil {
		return "" // the next prompt requests the guidelines again, and says why there is no answer
	}
	return h.unsaid(e, a.injection)
}

// unsaid() returns the part of the text that the model does not know yet. If no hook ran at the start of the session,
// it returns the whole text. In such a session, the hooks cannot notice that the model has lost the earlier text.
func (h *Host) unsaid(e *wire.Event, text string) string {
	if e.Name == wire.SubagentStart || !h.hasRun(e, wire.SessionStart) {
		return text
	}
	return session.OpenTold(h.Dir, e.Session).Add(text)
}

func (h *Host) inject(e *wire.Event) wire.Outcome {
	before := h.hasRun(e, wire.UserPromptSubmit)
	if !before || e.Typed() {
		h.noteFirst()
	}
	own := h.beginOwn(e, h.hadList(e))
	h.markAlive(e)
	if !e.Typed() {
		return wire.Outcome{Message: own}
	}
	var m messages
	m.add(own)
	unapproved := refused(h.closeGates(e, ""))
	h.noteForgedLines(e)
	h.forget(e, decide.ForTurn)
	h.tidy(e)
	if how := h.Env(entrypoint); e.Agent == "" && !isHeadless(how) {
		e.TypedIn = how
	}
	m.add(h.endUnguarded(e))
	if before {
		m.add(h.unseenCheck(e))
	}
	said := h.keepChoice(e)
	m.add(said)
	h.notifyState(e)
	h.notifyKey(e)
	text, refusal := h.guidance(e)
	h.logPrompt(e, refusal)
	if refusal != "" {
		return wire.Outcome{Message: m.text(), Counter: refusal}
	}
	return wire.Outcome{Context: joined(unapproved, text), Message: m.text()}
}

// Subagent answers the start of a subagent. It tells the subagent the guidelines for its role, and caches them for
// the subagent's calls.
func Subagent(h *Host, e *wire.Event) wire.Outcome {
	h.markAlive(e)
	h.lookForChanges(e)
	text, _ := h.guidance(e)
	return h.withNotices(e, wire.Outcome{Context: text})
}

const (
	// keepFor is how long the files of an inactive session are kept.
	keepFor = 7 * 24 * time.Hour
	// sweepEvery is how often guardrails looks for files of inactive sessions. guardrails does not look for them at each
	// prompt, because there can be hundreds of files.
	sweepEvery = time.Hour
)

// tidy() shortens the session's ledger and removes the files of old sessions. If a step fails, the hook tries it again
// at the next prompt.
func (h *Host) tidy(e *wire.Event) {
	if h.Dir == nil || e.Session == "" {
		return
	}
	_ = session.Trim(h.Dir, e.Session)
	// A person has written a prompt, so the earlier calls no longer count as a loop.
	_, _ = h.Dir.Remove(session.CallsName(e.Session, ""))
	if last, ok := h.Dir.Seen(session.SweptName); ok && h.Now().Sub(last).Abs() < sweepEvery {
		return
	}
	if h.Dir.Touch(session.SweptName) == nil {
		_, _ = session.Sweep(h.Dir, h.Now(), keepFor)
	}
}

// guidance() returns the text for the model: the guidelines, or a message that they are not available. It also caches
// the guidelines for later calls. The result "refusal" is what the user reads if the safety gate refuses the
// prompt.
func (h *Host) guidance(e *wire.Event) (text, refusal string) {
	a, err := h.ask(e)
	if err != nil {
		h.notify(e, "unreachable", h.unreachable(e, err))
		return h.unsaid(e, h.unguarded()), ""
	}
	if a.message != "" {
		h.notify(e, "", a.message)
	}
	if err := h.store(e, a); err != nil {
		h.notify(e, "cache", "guardrails cannot keep this session's guidelines ("+err.Error()+
			"); every tool call requests them again, which is slower. Run: guardrails doctor")
	}
	if a.refusal != "" {
		return "", a.refusal // the model gets neither the prompt nor the guidelines
	}
	return joined(h.unsaid(e, a.injection), a.note), ""
}

// hasRun reports whether a hook has already run for an event with the given name in the session.
func (h *Host) hasRun(e *wire.Event, event string) bool {
	if h.Dir == nil || e.Session == "" {
		return false
	}
	_, ok := h.Dir.Seen(session.BeatName(e.Session, event))
	return ok
}

// unseenCheck returns a warning for the user if tools ran in the session but the hook that checks them did not.
func (h *Host) unseenCheck(e *wire.Event) string {
	if h.Dir == nil || h.hasRun(e, wire.PreToolUse) {
		return ""
	}
	if !h.hasRun(e, wire.PostToolUse) && !h.hasRun(e, wire.PostToolUseFailure) && !h.usedTools(e) {
		return ""
	}
	h.log(e, record{
		kind: "gap", outcome: "unseen",
		reason: "tools ran, but the hook that checks them was not seen in this session",
	})
	return "guardrails has not checked any tool call of this session, though tools ran. Run: guardrails doctor"
}

// forgetCaches removes the cached guidelines of the session, so every agent must request them again.
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

func (h *Host) unreachable(e *wire.Event, err error) string {
	text := "guardrails cannot get its guidelines: " + err.Error() + ". " + h.meanwhile()
	if h.checksTexts(e) {
		text += " What you type and what the model answers are not checked either."
	}
	return text + " Run: guardrails doctor"
}

// meanwhile() returns a text that tells the user what happens to calls while there are no guidelines.
func (h *Host) meanwhile() string {
	if h.Strict {
		return "Until this is fixed, calls that change something are refused."
	}
	return "Until this is fixed, you are asked about calls that change something, and calls that only read are not checked."
}

func (h *Host) unguarded() string {
	return "guardrails: the project's guidelines cannot be read at the moment. " + h.meanwhile()
}
