package hooks

import (
	"path"
	"strings"

	"guardrails/decide"
	"guardrails/detect/effect"
	"guardrails/hooks/cache"
	"guardrails/hooks/session"
	"guardrails/hooks/wire"
)

// facts returns the facts that the judgement of a call depends on besides the guidelines.
func (h *Host) facts(e *wire.Event, call *effect.Analysis) decide.Facts {
	f := h.Facts(h.root(e))
	f.Now = h.Now()
	f.Session = func() (decide.Session, error) { return h.noteAndRead(e, call) }
	return f
}

// exceptions returns the exceptions that a session keeps.
func exceptions(c *cache.Cache) []decide.Exception {
	var out []decide.Exception
	for _, x := range c.Exceptions {
		out = append(out, decide.Exception(x))
	}
	return out
}

// noteAndRead notes the files that a call is about to change and then reads the session's record. Because it notes
// first, calls that run at the same time count each other's files.
func (h *Host) noteAndRead(e *wire.Event, call *effect.Analysis) (decide.Session, error) {
	if h.Dir == nil {
		return decide.Session{}, h.DirError
	}
	for i := range call.Effects {
		effect := &call.Effects[i]
		if !decide.ChangesProject(effect) {
			continue
		}
		entry := session.Entry{Kind: session.Wrote, Path: effect.Path, ToolUseID: e.ToolUseID, Planned: true}
		if err := session.Note(h.Dir, e.Session, entry); err != nil {
			return decide.Session{}, err
		}
	}
	return recorded(h.Dir, e.Session)
}

func testsOf(state *session.State) decide.Tests {
	switch {
	case !state.TestedSinceWrite:
		return decide.TestsMissing
	case len(state.Failures) > 0:
		return decide.TestsFailed
	}
	return decide.TestsUpToDate
}

// isSource reports whether a file is source code, so that tests are expected to run after it has changed.
func isSource(name string) bool {
	switch ext := strings.ToLower(path.Ext(name)); ext {
	case ".md", ".mdx", ".txt", ".rst", ".adoc", ".log", ".csv", ".pdf", ".lock", ".sum",
		".png", ".jpg", ".jpeg", ".gif", ".svg", ".ico", ".webp":
		return false
	case "":
		base := path.Base(name)
		return base == "Makefile" || base == "Dockerfile" || base == "Justfile" || base == "Rakefile"
	}
	return true
}
