package hooks

import (
	"guardrails/detect/effect"
	"guardrails/detect/toolcall"
	"guardrails/hooks/wire"
)

// maxCommitted is for how many scripts of one call git is asked; the others count as if they had just been written.
const maxCommitted = 4

// trust softens what comes from scripts that stand in the project's history as they are. Git is asked only where a
// guideline may speak of the call.
func (w *World) trust(e *wire.Event, call *effect.Analysis) {
	if len(call.Scripts) == 0 || w.Committed == nil {
		return
	}
	root, asked := w.resolved(w.root(e)), 0
	toolcall.Trust(call, func(s *effect.Script) bool {
		asked++
		return asked <= maxCommitted && w.Committed(root, s.Path, s.Text)
	})
}
