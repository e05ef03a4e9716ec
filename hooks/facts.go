package hooks

import (
	"strings"

	"guardrails/decide"
	"guardrails/detect/effect"
	"guardrails/hooks/session"
	"guardrails/hooks/wire"
)

// facts() returns the facts on which the decision about a call can depend. If the call is not judged, it leaves out the
// facts that depend on the session.
func (h *Host) facts(e *wire.Event, call *effect.Analysis, isJudged bool) decide.Facts {
	f := h.Facts(h.root(e))
	headless := isHeadless(h.Env(entrypoint))
	f.Now, f.PermissionMode, f.Headless = h.Now(), e.Mode, &headless
	if !isJudged {
		return f
	}
	f.Agreed = Agreed(h.Dir, e.Session, e.Agent)
	f.Session = func() (decide.Session, error) { return h.noteAndRead(e, call, f.List) }
	if h.Dir != nil && e.Session != "" {
		h.planCommit(e, call)
	}
	return f
}

// isHeadless reports whether no person can answer questions, because the client runs neither in a terminal, nor in an
// editor, nor in the desktop app. It finds this out from the client's entry point.
func isHeadless(entryPoint string) bool {
	return entryPoint != terminalClient && !strings.HasPrefix(entryPoint, "claude-vscode") &&
		!strings.HasPrefix(entryPoint, "claude-desktop")
}

// noteAndRead records the files that a call will change, and then reads the session's ledger. It writes before it
// reads. So if two calls run at the same time, at least one of them counts the files of the other call.
func (h *Host) noteAndRead(e *wire.Event, call *effect.Analysis, list decide.ListFunc) (decide.Session, error) {
	if h.Dir == nil {
		return decide.Session{}, h.DirError
	}
	changes := decide.NewChanges(call, list)
	noted := map[string]bool{}
	var planned []session.Entry
	for i := range call.Effects {
		for _, name := range changes.Of(i) {
			if !noted[name] {
				noted[name] = true
				planned = append(planned, session.Entry{Kind: session.Wrote, Path: name, ToolUseID: e.ToolUseID, Planned: true})
			}
		}
	}
	if err := session.Note(h.Dir, e.Session, planned...); err != nil {
		return decide.Session{}, err
	}
	return recorded(h.Dir, e.Session)
}

// If a call makes a commit, planCommit records the id of the newest commit before the call. After the call, Settle
// compares this id with the id of the commit that is then the newest.
func (h *Host) planCommit(e *wire.Event, call *effect.Analysis) {
	for i := range call.Effects {
		c := call.Effects[i].Commit
		if c == nil || c.Elsewhere || !call.Effects[i].Has(effect.Commit) {
			continue
		}
		entry := session.Entry{Kind: session.Committed, Planned: true, Name: c.Head, ToolUseID: e.ToolUseID}
		if c.Known && len(c.Files)+len(c.Globs) == 0 {
			entry.Name = session.Empty
		}
		// If this fails, Settle relies on what the client says about the call.
		_ = session.Note(h.Dir, e.Session, entry)
		return
	}
}

func testsOf(state *session.State) decide.Tests {
	switch {
	case state.TestedSinceWrite:
		return decide.TestsUpToDate
	case len(state.Failures) > 0:
		return decide.TestsFailed
	}
	return decide.TestsMissing
}
