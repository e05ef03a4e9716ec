package toolcall

import (
	"mvdan.cc/sh/v3/syntax"

	"guardrails/detect/effect"
)

// endlessLoop finds a loop that never ends and starts something in the background at every turn.
func (a *analyzer) endlessLoop(c *syntax.WhileClause) {
	if len(c.Cond) != 1 || !alwaysTrue(c.Cond[0], c.Until) {
		return
	}
	spawns, pauses := false, false
	syntax.Walk(c, func(n syntax.Node) bool {
		switch x := n.(type) {
		case *syntax.Stmt:
			spawns = spawns || x.Background
		case *syntax.CallExpr:
			pauses = pauses || len(x.Args) > 0 && waits(x.Args[0].Lit())
		}
		return true
	})
	if spawns && !pauses {
		a.opaque(a.spanOf(c.Pos(), c.End()), "starts processes without end", effect.ResourceExhaust)
	}
}

func alwaysTrue(s *syntax.Stmt, until bool) bool {
	call, ok := s.Cmd.(*syntax.CallExpr)
	if !ok || len(call.Args) == 0 {
		return false
	}
	switch call.Args[0].Lit() {
	case "true", ":":
		return !until
	case "false":
		return until
	}
	return false
}

// waits reports whether a command slows a loop down or ends it.
func waits(name string) bool {
	return name == among(name, "sleep wait read break exit return inotifywait")
}
