package hooks

import (
	"strconv"

	"guardrails/detect/effect"
	"guardrails/hooks/session"
	"guardrails/hooks/wire"
)

// An agent can go in circles. After each call, the hook keeps hashes of the call and its result. If the last result has
// occurred several times, the hook asks the service whether this is a loop, because hooks have no detector.

// noteLoop keeps hashes of a call. If the agent goes in circles, it returns a note for the agent.
func (h *Host) noteLoop(e *wire.Event, call *effect.Analysis) string {
	if e.Text == nil {
		return "" // an older "guardrails init" wrote the entry in the settings, so the event has no result
	}
	result, kind := callText(e), int64(session.Succeeded)
	if e.Name == wire.PostToolUseFailure {
		result, kind = plainError(memberText(e.Text, "error")), session.Failed
	}
	for i := range call.Effects {
		done := &call.Effects[i]
		if kind == session.Succeeded && (done.Kind == effect.Write || done.Kind == effect.Delete) {
			kind = session.Progress
		} else if kind == session.Failed && done.Has(effect.TestRun) {
			kind = session.FailedTest
		}
	}
	name := session.CallsName(e.Session, e.Agent)
	key := h.Dir.KeyOf(name)
	e.Calls = session.NoteCall(h.Dir, name, string(key.Sum([]byte(e.Tool+result+string(e.Response))))+
		string(key.Sum([]byte(e.ToolUseID)))+strconv.FormatInt(session.Kinds*h.Now().Unix()+kind, 10))
	if e.Calls == "" {
		return ""
	}
	answer, _, _ := h.Ask(h.request(e)) // if the service does not reply, the next prompt reports this
	if memberText(answer, "loop") == "ask" {
		_ = NoteLoop(h.Dir, e) // if this fails, the next call asks the service again
	}
	return memberText(answer, "note")
}

// plainError returns the beginning of an error without its numbers, which differ from run to run. The letters a to f
// that follow a number are left out too, because they can belong to a hexadecimal id.
func plainError(text string) string {
	const most = 2000
	out := []byte(text[:min(len(text), most)])
	n, inNumber := 0, false
	for _, c := range out {
		if inNumber = c >= '0' && c <= '9' || inNumber && c >= 'a' && c <= 'f'; !inNumber {
			out[n] = c
			n++
		}
	}
	return string(out[:n])
}
