package hooks

import (
	"errors"
	"io/fs"

	"guardrails/decide"
	"guardrails/detect/effect"
	"guardrails/hooks/cache"
	"guardrails/hooks/ownfiles"
	"guardrails/hooks/session"
	"guardrails/hooks/wire"
)

// The analysis before a call cannot see everything that the call will do. So after each call the hook compares the guard's
// own files with the list of the session. If one has changed, another program decides what to do about it, because this
// hook must stay small. ownfiles.go has that part.

var errOwn = errors.New("files of guardrails have changed, and no program of guardrails can compare them")

// ownChanged reports whether one of the guard's own files has changed. If it has, helper is a program that has not
// changed, or "".
func (h *Host) ownChanged(e *wire.Event) (changed bool, helper string) {
	if h.Own == nil || h.Dir == nil || e.Session == "" {
		return false, ""
	}
	text, err := h.Dir.ReadSigned(session.OwnFilesName(e.Session), ownfiles.MaxList)
	if err == nil {
		return ownfiles.Compare(string(text))
	}
	// If no hook has made a list yet, there is nothing to compare.
	return !errors.Is(err, fs.ErrNotExist) || h.hasRun(e, wire.SessionStart) || h.hasRun(e, wire.UserPromptSubmit), ""
}

// compareOwn compares the guard's own files. Before a call, the reason of the outcome is the question to a person.
func (h *Host) compareOwn(e *wire.Event) wire.Outcome {
	changed, helper := h.ownChanged(e)
	if !changed {
		return wire.Outcome{}
	}
	out, err := []byte(nil), errOwn
	if helper != "" {
		out, err = h.Own(e, helper)
	}
	if err != nil {
		text := "guardrails cannot compare its own files with what they were: " + err.Error() + ". A new prompt makes it compare them again."
		_ = h.Dir.Touch(session.ChangedName) // makes the next call ask
		h.notify(e, "own", text)
		return wire.Outcome{Reason: text + " Go on?"}
	}
	return wire.Outcome{
		Reason: memberText(out, "reason"), Context: memberText(out, "additionalContext"), Message: memberText(out, "systemMessage"),
	}
}

// waitsForPerson reports whether a call must wait for a person, because files of the guard have changed. It is called
// only before calls whose guidelines must be requested again, so that other calls take no longer. After a change, this is
// the case for every call.
func (h *Host) waitsForPerson(e *wire.Event, call *effect.Analysis) bool {
	if !changes(call) {
		changed, _ := h.ownChanged(e)
		return changed
	}
	e.Question = h.compareOwn(e).Reason
	return e.Question != ""
}

// lastGuidelines returns the guidelines that the session received last, whether they are up to date or not. A program that
// has changed must not be asked for new ones.
func (h *Host) lastGuidelines(e *wire.Event) (*cache.Cache, error) {
	c, err := h.keptCache(e)
	if c != nil && (err == nil || errors.Is(err, cache.ErrExpired)) {
		return c, nil
	}
	return nil, errOwn
}

// withQuestion adds the question about the guard's own files to an outcome. A denied call stays denied.
func withQuestion(e *wire.Event, o wire.Outcome) wire.Outcome {
	if e.Question != "" && o.Verdict != wire.Deny {
		o.Verdict, o.Reason, o.Context = wire.Ask, joined(e.Question, o.Reason), joined(e.Question, o.Context)
	}
	return o
}

// approvedAll is what the file of an approved call contains if all changes are approved.
const approvedAll = "all"

// noteApproved notes that a call may change the guard's own files, because a guideline or a person allows it.
func (h *Host) noteApproved(e *wire.Event, call *effect.Analysis, o wire.Outcome) wire.Outcome {
	if o.Verdict != wire.Deny && h.Dir != nil && e.ToolUseID != "" && decide.Tampers(call) {
		name := session.ApprovedName(e.Session, e.ToolUseID)
		_ = h.Dir.Write(name, h.Dir.KeyOf(name).Sign([]byte(approvedAll))) // otherwise a person is asked about the change
	}
	return o
}
