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
	"guardrails/internal/changemark"
)

// The analysis before a call cannot see everything that the call will do. So after each call the hook compares the
// guard's own files with the list of the session. This hook must stay small. So if a file has changed, another program
// decides what to do about the change. The code of that program is in ownfiles.go.

var errOwn = errors.New("files of guardrails have changed, and no program of guardrails can compare them")

// changedFiles reports whether the guard's own files have changed. If the list is lost, it reports a changed program.
func (h *Host) changedFiles(e *wire.Event) (c ownfiles.Comparison) {
	if h.Own == nil || h.Dir == nil || e.Session == "" {
		return c
	}
	text, err := h.Dir.ReadSigned(session.OwnFilesName(e.Session), ownfiles.MaxList)
	if err == nil {
		return ownfiles.Compare(string(text))
	}
	if errors.Is(err, fs.ErrNotExist) {
		if !h.hadList(e) {
			return c // no hook has made a list yet
		}
		// Another hook may have made the list after the first attempt to read it. A hook makes the list before it makes a
		// record of that, so the list must exist now.
		if text, err = h.Dir.ReadSigned(session.OwnFilesName(e.Session), ownfiles.MaxList); err == nil {
			return ownfiles.Compare(string(text))
		}
	}
	c.Changed, c.Program = true, true
	return c
}

// hadList reports whether the session has had a list of the guard's own files. A program could delete the records in the
// session's folder together with the list, so the state folder has a record too.
func (h *Host) hadList(e *wire.Event) bool {
	return h.hasRun(e, wire.SessionStart) || h.hasRun(e, wire.UserPromptSubmit) || ownfiles.HasBegun(h.State, e.Session)
}

// compareOwn compares the guard's own files. If the files have changed before a call, the field Reason of the outcome
// contains the question to a person.
func (h *Host) compareOwn(e *wire.Event) wire.Outcome {
	found := h.changedFiles(e)
	if !found.Changed {
		return wire.Outcome{}
	}
	e.Replaced = found.Program
	out, err := []byte(nil), errOwn
	if found.Helper != "" {
		out, err = h.Own(e, found.Helper)
	}
	if err != nil {
		text := "guardrails cannot compare its own files with their earlier state: " + err.Error() +
			". It compares them again at the next prompt."
		_ = h.Dir.Touch(changemark.Name) // after this, the next call asks a person
		h.notify(e, "own", text)
		return wire.Outcome{Reason: text + " Go on?"}
	}
	return wire.Outcome{
		Reason: memberText(out, "reason"), Context: memberText(out, "additionalContext"),
		Message: memberText(out, "systemMessage"),
	}
}

// waitsForPerson reports whether files of the guard have changed. After such a change, a call that may change something
// must wait for a person. A change makes the cached guidelines outdated. So waitsForPerson is called only if the cached
// guidelines cannot be used, and it does not slow down other calls.
func (h *Host) waitsForPerson(e *wire.Event, call *effect.Analysis) bool {
	if !changes(call) {
		found := h.changedFiles(e)
		e.Waits, e.Replaced = found.Changed, found.Program
		return found.Changed
	}
	e.Question = h.compareOwn(e).Reason
	e.Waits = e.Question != ""
	return e.Waits
}

// lastGuidelines returns the guidelines that the session received before a change of the guard's own files. These
// guidelines are used because a guardrails program that has changed must not supply new guidelines.
func (h *Host) lastGuidelines(e *wire.Event) (*cache.Cache, error) {
	c, err := h.keptCache(e)
	switch {
	case c != nil && (err == nil || errors.Is(err, cache.ErrExpired)):
		return c, nil
	case e.Replaced:
		return nil, errOwn
	}
	return h.askAgain(e)
}

// checkAgain handles a call that waits for a person because the guard's own files have changed. The call was judged by
// the old guidelines, from before the change. checkAgain also judges it by the new guidelines. If the new guidelines
// deny the call, the call is denied without a question.
func (h *Host) checkAgain(e *wire.Event, call *effect.Analysis, o wire.Outcome) wire.Outcome {
	if e.Question == "" || e.Replaced || o.Verdict == wire.Deny {
		return o
	}
	a, err := h.ask(e)
	if err != nil {
		return o // the old guidelines apply
	}
	if c, err := h.readAnswer(e, a); err == nil {
		if after := h.check(e, call, c); after.Verdict == wire.Deny {
			return after
		}
	}
	return o
}

// withQuestion adds the question about the guard's own files to an outcome. A denied call stays denied.
func withQuestion(e *wire.Event, o wire.Outcome) wire.Outcome {
	if e.Question != "" && o.Verdict != wire.Deny {
		o.Verdict, o.Reason, o.Context = wire.Ask, joined(e.Question, o.Reason), joined(e.Question, o.Context)
	}
	return o
}

// If a person has approved all changes, the file that records the approved call has the content approvedAll.
const approvedAll = "all"

// noteApproved records that a guideline or a person allows a call to change the guard's own files.
func (h *Host) noteApproved(e *wire.Event, call *effect.Analysis, o wire.Outcome) wire.Outcome {
	if o.Verdict != wire.Deny && h.Dir != nil && e.ToolUseID != "" && decide.Tampers(call) {
		name := session.ApprovedName(e.Session, e.ToolUseID)
		_ = h.Dir.Write(name, h.Dir.KeyOf(name).Sign([]byte(approvedAll))) // otherwise a person is asked about the change
	}
	return o
}
