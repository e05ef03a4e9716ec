package shell

import (
	"mvdan.cc/sh/v3/syntax"

	"guardrails/detect/toolcall/trace"
)

// choicesIn returns the first variable in a simple command that has one of several known values, and these values.
func choicesIn(s *syntax.Stmt, sc *trace.Scope) (name string, choices []trace.Value) {
	switch s.Cmd.(type) {
	case nil, *syntax.CallExpr, *syntax.DeclClause:
	default:
		return "", nil
	}
	syntax.Walk(s, func(n syntax.Node) bool {
		if p, ok := n.(*syntax.ParamExp); ok && p.Param != nil && choices == nil {
			name = p.Param.Value
			choices = sc.Vars.Get(name).Choices
		}
		return choices == nil
	})
	return name, choices
}

// forEachChoice analyzes a command once for each value that the variable may have.
func forEachChoice(
	t *trace.Trace, s *syntax.Stmt, name string, choices []trace.Value, sc *trace.Scope, stdin trace.Flow,
) trace.Flow {
	var out trace.Flow
	after, locals := *sc, sc.Locals
	for i, choice := range choices {
		branch := sc.Sub()
		branch.Locals = locals
		variable := sc.Vars.Get(name)
		variable.Values, variable.Choices = []trace.Value{choice}, nil
		branch.Vars.Set(name, variable)
		out = Sequence(out, statement(t, s, branch, stdin), i == 0)
		if i == 0 {
			after = *branch
		} else {
			after.Join(branch)
		}
	}
	*sc = after
	out.Known = false
	return out
}
