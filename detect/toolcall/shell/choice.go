package shell

import (
	"mvdan.cc/sh/v3/syntax"

	"guardrails/detect/toolcall/trace"
)

// maxChosen is the largest number of variables whose values are tried one by one for the same command. More variables
// would take too many steps. The values of any other variables count as unknown.
const maxChosen = 2

// maxElements is the largest number of elements of an array that are tried one by one if an index is unknown.
const maxElements = 8

// choicesIn looks in a simple command for the first variable whose value is one of several known values, and returns
// the variable and these values. If the command uses an element of an array and the index is unknown, the array counts
// as such a variable.
func choicesIn(t *trace.Trace, s *syntax.Stmt, sc *trace.Scope) (name string, choices []trace.Value) {
	if !sc.HasChoices || t.Chosen >= maxChosen {
		return "", nil
	}
	switch s.Cmd.(type) {
	case nil, *syntax.CallExpr, *syntax.DeclClause:
	default:
		return "", nil
	}
	syntax.Walk(s, func(n syntax.Node) bool {
		if p, ok := n.(*syntax.ParamExp); ok && p.Param != nil && choices == nil {
			name = p.Param.Value
			v := sc.Vars.Get(name)
			choices = v.Choices
			if p.Index != nil && !isAllIndex(p.Index) && v.Array && len(v.Values) > 1 && len(v.Values) <= maxElements {
				if _, known := number(p.Index); !known {
					choices = v.Values
				}
			}
		}
		return choices == nil
	})
	return name, choices
}

// forEachChoice analyzes a command once for each value that the variable may have.
func forEachChoice(
	t *trace.Trace, s *syntax.Stmt, name string, choices []trace.Value, sc *trace.Scope, stdin trace.Flow,
) trace.Flow {
	t.Chosen++
	defer func() { t.Chosen-- }()
	var out trace.Flow
	after, locals, changes, whole := *sc, sc.Locals, false, sc.Vars.Get(name)
	for i, choice := range choices {
		branch := sc.Sub()
		branch.Locals = locals
		variable := whole
		variable.Values, variable.Choices = []trace.Value{choice}, nil
		branch.Vars.Set(name, variable)
		out = Sequence(out, statement(t, s, branch, stdin), i == 0)
		changes = changes || !trace.SameValues(branch.Vars.Get(name), variable)
		if i == 0 {
			after = *branch
		} else {
			after.Join(branch)
		}
	}
	if !changes {
		after.Vars.Set(name, whole)
	}
	*sc = after
	out.Known = false
	return out
}
