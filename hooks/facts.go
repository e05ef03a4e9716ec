package hooks

import (
	"strings"

	"guardrails/decide"
	"guardrails/detect/effect"
	"guardrails/guideline"
	"guardrails/hooks/session"
	"guardrails/hooks/wire"
)

// facts() returns the facts on which the decision about a call can depend. If no layer judges the call, it leaves out
// the facts that depend on the session. Otherwise, it first records in the session's ledger what the call is about to
// do. So if two calls run at the same time, at least one of them counts the files of the other call.
func (h *Host) facts(e *wire.Event, call *effect.Analysis, layers []decide.Layer) decide.Facts {
	f := h.Facts(h.root(e))
	headless := isHeadless(h.Env(entrypoint))
	f.Now, f.PermissionMode, f.Headless = h.Now(), e.Mode, &headless
	if len(layers) == 0 {
		return f
	}
	f.Agreed = Agreed(h.Dir, e.Session, e.Agent)
	err := h.planChanges(e, call, layers, f.List)
	f.Session = func() (decide.Session, error) {
		if h.Dir == nil || err != nil {
			return decide.Session{}, err
		}
		return recorded(h.Dir, e.Session)
	}
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

// planChanges records the files that a call will change, if a layer limits the number of changed files. If it returns an
// error, the limits cannot be checked.
func (h *Host) planChanges(
	e *wire.Event, call *effect.Analysis, layers []decide.Layer, list decide.ListFunc,
) error {
	if h.Dir == nil {
		return h.DirError
	}
	limited := false
	for i := range layers {
		limited = limited || layers[i].Set.Any(limitsFiles)
	}
	if !limited {
		return nil
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
	return session.Note(h.Dir, e.Session, planned...)
}

func limitsFiles(g *guideline.Guideline) bool { return g.Action.MaxFiles != nil }

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
