package hooks

import (
	"errors"
	"io/fs"
	"slices"
	"strings"
	"time"

	"guardrails/hooks/ownfiles"
	"guardrails/hooks/session"
	"guardrails/hooks/wire"
	"guardrails/host"
	"guardrails/internal/changemark"
	"guardrails/internal/private"
)

// This file handles changes of the guard's own files (ADR 040). The programs guardrails-stop and guardrails-inject
// run this code. If the client calls the server instead of these programs, the server runs it.

// The start of a call is computed from its duration. The constant "slack" is added to the duration, because the client
// starts the hook some time after the end of the call.
const slack = 2 * time.Second

// AnswerOwn answers an event of a tool call. It only compares the guard's own files.
func AnswerOwn(h *Host, e *wire.Event) wire.Outcome {
	own, err := h.openOwn(e)
	if err != nil {
		return wire.Outcome{Reason: err.Error(), Verdict: wire.Ask}
	}
	if e.Name == wire.PreToolUse {
		return h.questionOwn(e, own)
	}
	return h.settleOwn(e, own, h.callBegan(e))
}

func isToolEvent(e *wire.Event) bool {
	return e.Name == wire.PreToolUse || e.Name == wire.PostToolUse || e.Name == wire.PostToolUseFailure
}

func (h *Host) openOwn(e *wire.Event) (*ownfiles.Files, error) {
	if h.Dir == nil || e.Session == "" {
		return nil, errNoSession
	}
	return ownfiles.Open(h.Dir, h.State, e.Session)
}

// beginOwn makes the list of the guard's own files when a session begins. Later it only looks for changes. The argument
// "begun" tells whether the session should have a list already. beginOwn returns a message for the user.
func (h *Host) beginOwn(e *wire.Event, begun bool) string {
	if h.Program == "" || h.Dir == nil || e.Session == "" {
		return ""
	}
	own, err := h.openOwn(e)
	if err == nil {
		h.findChanged(e, own)
		return h.tellOwn(e, own)
	}
	message := ""
	if begun || !errors.Is(err, fs.ErrNotExist) {
		message = "guardrails cannot find out whether its own files changed before now: " + err.Error() +
			". It notices changes from now on."
		h.log(e, record{kind: "own_files", outcome: "unknown", reason: err.Error()})
	}
	if err := ownfiles.Start(h.Dir, h.State, e.Session, ownfiles.Places(h.Env, h.Program, h.root(e))); err != nil {
		text := "guardrails cannot notice changes of its own files: " + err.Error() + ". Run: guardrails doctor"
		if errors.Is(err, ownfiles.ErrFull) {
			text = err.Error() + "."
		}
		message = joined(message, text)
	}
	if isHeadless(h.Env(entrypoint)) && h.Committed != nil {
		name := session.BaseName(e.Session)
		// Without this file, no commit is accepted.
		_ = h.Dir.Write(name, h.Dir.KeyOf(name).Sign([]byte(host.Base(h.root(e)))))
	}
	return message
}

// endOwn compares the guard's own files at the end of a turn, because a process in the background may have changed
// them.
func (h *Host) endOwn(e *wire.Event) string {
	own, err := h.openOwn(e)
	if err != nil {
		return "" // a list that is lost is reported before the next call and at the next prompt
	}
	return h.settleOwn(e, own, h.lastCall(e)).Message
}

// settleOwn restores files that only the user may change. The parameter "began" is the time at which the last call
// began. settleOwn restores only files that have changed since then. Other changes wait for a person.
func (h *Host) settleOwn(e *wire.Event, own *ownfiles.Files, began time.Time) wire.Outcome {
	changed := own.Changed()
	if len(changed) > 0 && h.acceptApproved(e, own, changed) {
		changed = own.Changed()
	}
	var put []string
	for again := true; again && len(changed) > 0; changed = own.Changed() {
		again = false
		for _, i := range changed {
			if own.At(i).Kind.Kept() && !own.ChangedAt(i).Before(began) && h.putBack(e, own, i) {
				put, again = append(put, own.At(i).Path), true // a folder that was put back has no files yet
			}
		}
	}
	var o wire.Outcome
	if len(put) > 0 {
		o.Context = "guardrails put back " + strings.Join(put, ", ") + ": only the user may change the guard's own files."
	}
	if committed := h.acceptCommitted(e, own); len(committed) > 0 {
		o.Context = joined(o.Context, "guardrails uses "+strings.Join(committed, ", ")+" in the version of the last commit.")
	}
	h.findChanged(e, own)
	o.Message = h.tellOwn(e, own)
	return o
}

// acceptCommitted accepts files of the project that are the same as in the last commit, so a "git pull" does not stop a
// session in a pipeline. It accepts files only if no person can answer questions. A commit that the agent may have made
// does not count, and neither does a commit of a branch that the session did not begin with.
func (h *Host) acceptCommitted(e *wire.Event, own *ownfiles.Files) (paths []string) {
	if !isHeadless(h.Env(entrypoint)) || h.Committed == nil {
		return nil
	}
	changed := own.Changed()
	if len(changed) == 0 {
		return nil
	}
	base, err := h.Dir.ReadSigned(session.BaseName(e.Session), maxGrant)
	if err != nil {
		return nil // a person must be asked
	}
	for _, i := range changed {
		path := own.At(i).Path
		text, err := private.ReadPlain(path, maxCommitted)
		if err == nil && !own.At(i).Kind.Kept() && h.Committed(h.root(e), path, string(text)) &&
			host.FromElsewhere(h.root(e), path, string(base)) {
			own.Accept(i)
			h.log(e, record{kind: "own_files", outcome: "accepted", reason: path +
				" is the same as in the last commit, and no person can be asked"})
			paths = append(paths, path)
		}
	}
	return paths
}

// maxCommitted is the largest size of a file that is compared with the last commit.
const maxCommitted = 1 << 20

// callBegan returns the time at which the call of an event began.
func (h *Host) callBegan(e *wire.Event) time.Time {
	if e.Took > 0 {
		return h.Now().Add(-e.Took - slack)
	}
	return h.lastCall(e)
}

// lastCall returns the time at which the last call of the session began.
func (h *Host) lastCall(e *wire.Event) time.Time {
	at, _ := h.Dir.Seen(session.BeatName(e.Session, wire.PreToolUse))
	return at.Add(-tick)
}

// putBack puts a file back, and reports whether this was possible.
func (h *Host) putBack(e *wire.Event, own *ownfiles.Files, i int) bool {
	path := own.At(i).Path
	aside, err := own.PutBack(i)
	if err != nil {
		if own.MustTell(i) {
			h.tell(e, own, "failed",
				path+" was changed during a tool call, and guardrails cannot put it back: "+err.Error()+
					". Check the file, and restore it yourself if necessary.")
		}
		return false
	}
	text := "guardrails put back " + path + ", which was changed during a tool call."
	if aside != "" {
		text += " The changed version is in " + aside +
			". If you changed the file yourself, copy that version back while no call runs."
	}
	h.tell(e, own, "put_back", text)
	return true
}

func (h *Host) tell(e *wire.Event, own *ownfiles.Files, outcome, text string) {
	own.Tell(text)
	h.log(e, record{kind: "own_files", outcome: outcome, reason: text})
}

// findChanged finds changes that wait for a person. The user is told about each change once.
func (h *Host) findChanged(e *wire.Event, own *ownfiles.Files) {
	changed := own.Changed()
	for _, i := range changed {
		if own.MustTell(i) {
			h.tell(e, own, "changed", own.At(i).Path+", which belongs to guardrails, has changed. "+
				"Before the next call that changes something, guardrails asks you about this file.")
		}
	}
	if len(changed) > 0 {
		e.Waits = true
		_ = h.Dir.Touch(changemark.Name) // guidelines count as outdated, so the next call looks at the changes
	}
}

// tellOwn returns the messages that the user has not seen yet, and saves the list. The client shows no messages in a
// subagent.
func (h *Host) tellOwn(e *wire.Event, own *ownfiles.Files) (message string) {
	if e.Agent == "" && e.Name != wire.SessionEnd {
		message = strings.Join(own.TakeMessages(), "\n")
	}
	if err := own.Save(); err != nil {
		h.notify(e, "own", "guardrails cannot note changes of its own files: "+err.Error()+". Run: guardrails doctor")
	}
	return message
}

// maxNamed limits how many changed files are listed in a question.
const maxNamed = 3

// questionOwn returns the question to a person about the changes. It records which changes the person accepts by saying
// yes.
func (h *Host) questionOwn(e *wire.Event, own *ownfiles.Files) wire.Outcome {
	h.findChanged(e, own)
	changed := own.Changed()
	defer func() { _ = own.Save() }() // if the list is not saved, the next question tells the user again
	if len(changed) == 0 {
		return wire.Outcome{}
	}
	var named, asked []string
	for _, i := range changed {
		asked = append(asked, changeOf(own, i))
		if len(named) < maxNamed {
			named = append(named, own.At(i).Path)
		}
	}
	name := session.ApprovedName(e.Session, e.ToolUseID)
	_ = h.Dir.Write(name, h.Dir.KeyOf(name).Sign([]byte(strings.Join(asked, "\n")))) // otherwise the next call asks again
	reason := "Something that belongs to guardrails has changed: " + strings.Join(named, " and ") +
		". Look at the change first. Continue, and keep the change?"
	h.log(e, record{kind: "own_files", outcome: "ask", reason: reason})
	return wire.Outcome{Verdict: wire.Ask, Reason: reason}
}

// changeOf returns a text that identifies a change.
func changeOf(own *ownfiles.Files, i int) string { return own.Sum(i) + " " + own.At(i).Path }

// acceptApproved accepts the changes that a call was allowed to make, and the changes about which a person was asked.
// The call has run, so the person said yes.
func (h *Host) acceptApproved(e *wire.Event, own *ownfiles.Files, changed []int) (accepted bool) {
	name := session.ApprovedName(e.Session, e.ToolUseID)
	text, err := h.Dir.ReadSigned(name, maxGrant)
	if e.ToolUseID == "" || err != nil {
		return false
	}
	_, _ = h.Dir.Remove(name) // the file is no longer needed, because no other call has this id
	asked := strings.Split(string(text), "\n")
	for _, i := range changed {
		if string(text) == approvedAll || slices.Contains(asked, changeOf(own, i)) {
			own.Accept(i)
			h.log(e, record{kind: "own_files", outcome: "accepted", reason: own.At(i).Path + " was changed with approval"})
			accepted = true
		}
	}
	return accepted
}

// lookForChanges finds changes before a subagent begins.
func (h *Host) lookForChanges(e *wire.Event) {
	if own, err := h.openOwn(e); err == nil {
		h.findChanged(e, own)
		h.tellOwn(e, own)
	}
}
