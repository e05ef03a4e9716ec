package toolcall

import (
	"strings"

	"guardrails/detect/effect"
)

// localSocket notes a socket of this machine that belongs to the guard: who listens there answers in its place, and who
// speaks there commands it.
func (a *analyzer) localSocket(c *command, v value) {
	if p := a.place(v, c.sc); p.guard || strings.Contains(v.text, "$GUARDRAILS_") {
		a.mark(c, "answers for the guard's server, or commands it, at "+p.name, effect.GuardTamper)
	}
}

// meetsAt looks at the address that code listens at or connects to: a path is a socket of this machine.
func (w *coder) meetsAt(args datum) {
	for _, v := range args.all() {
		if strings.Contains(v.text, "/") && !isURL(v.text) {
			w.a.localSocket(w.c, v)
		}
	}
}
