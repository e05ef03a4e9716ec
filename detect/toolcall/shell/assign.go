package shell

import (
	"mvdan.cc/sh/v3/syntax"

	"guardrails/detect/toolcall/trace"
)

func assignAll(t *trace.Trace, list []*syntax.Assign, sc *trace.Scope) {
	for _, as := range list {
		assign(t, as, sc)
	}
}

// assignForCommand evaluates the assignments before a command, which apply only while the command runs. It
// returns a function that undoes them. If the command itself changes such a variable, the variable is unknown
// afterwards.
func assignForCommand(t *trace.Trace, list []*syntax.Assign, sc *trace.Scope) func() {
	var saved []trace.SavedVariable
	for _, as := range list {
		if as.Name != nil {
			saved = append(saved, sc.Save(as.Name.Value))
		}
		assign(t, as, sc)
	}
	assigned := make([]trace.Variable, len(saved))
	for i, s := range saved {
		assigned[i] = sc.Vars.Get(s.Name)
	}
	return func() {
		for i := len(saved) - 1; i >= 0; i-- {
			changed := !trace.SameValues(sc.Vars.Get(saved[i].Name), assigned[i])
			sc.Restore(saved[i])
			if changed {
				sc.Forget(saved[i].Name)
			}
		}
	}
}

// stepsOfAssignment is how many steps it takes to change a variable among thousands of others.
const stepsOfAssignment = 60

// assign evaluates an assignment. A name without an equals sign, as in "export X", changes no variable.
func assign(t *trace.Trace, as *syntax.Assign, sc *trace.Scope) {
	if as.Index != nil {
		walkSubstitutions(t, as.Index, sc)
	}
	if as.Naked || as.Name == nil {
		if as.Value != nil {
			exportFields(t, fields(t, as.Value, sc), sc)
		}
		return
	}
	name := as.Name.Value
	t.Spend(stepsOfAssignment)
	sensitiveAssignment(t, name, as, sc)
	switch {
	case as.Array != nil:
		var values []trace.Value
		for _, e := range as.Array.Elems {
			if e.Index != nil {
				walkSubstitutions(t, as.Array, sc)
				sc.Forget(name)
				return
			}
			if e.Value != nil {
				values = append(values, fields(t, e.Value, sc)...)
			}
		}
		if as.Append {
			before := sc.Vars.Get(name).Values
			t.Spend(8 * len(before))
			values = append(append([]trace.Value{}, before...), values...)
		}
		sc.Set(name, trace.Variable{Values: values, Array: true})
	case as.Value != nil && as.Index == nil:
		v := single(t, as.Value, sc)
		if as.Append {
			v = trace.Concat(sc.Vars.Get(name).Scalar(), v)
			t.Spend(len(v.Text) / 16)
		}
		sc.Set(name, trace.Variable{Values: []trace.Value{v}})
	case as.Index == nil:
		sc.Set(name, trace.Variable{Values: []trace.Value{{}}})
	default:
		assignElement(t, name, as, sc)
	}
}

// exportFields notes that "export $(cat .env)" sets variables that hold secrets.
func exportFields(t *trace.Trace, list []trace.Value, sc *trace.Scope) {
	for i := range list {
		if list[i].Taint.IsPrivate() {
			sc.Secrets, t.Sourced = true, len(t.Effects)
		}
	}
}

// assignElement evaluates an assignment to an element of an array, such as a[0]=x. The array becomes unknown, unless
// the index belongs to an existing element or directly follows the last one.
func assignElement(t *trace.Trace, name string, as *syntax.Assign, sc *trace.Scope) {
	v := single(t, as.Value, sc)
	values := append([]trace.Value{}, sc.Vars.Get(name).Values...)
	t.Spend(8 * len(values))
	i, ok := number(as.Index)
	switch {
	case !ok || i < 0 || i > len(values) || as.Append:
		unknown := trace.Value{Text: "$" + name, Quality: trace.Quality{Partial: true}}
		sc.Set(name, trace.Variable{Values: []trace.Value{unknown}, Array: true})
		return
	case i == len(values):
		values = append(values, v)
	default:
		values[i] = v
	}
	sc.Set(name, trace.Variable{Values: values, Array: true})
}

// sensitiveAssignment marks an assignment to a variable that the guard needs, or that decides what later commands run.
func sensitiveAssignment(t *trace.Trace, name string, as *syntax.Assign, sc *trace.Scope) {
	if !trace.IsGuardVariable(name) && !trace.RunsCode(name) && name != "PATH" && !trace.IsHistoryVariable(name) {
		return
	}
	v := single(t, as.Value, sc)
	span := spanOf(t, as.Pos(), as.End())
	t.VariableEffect(name, v, sc, span)
}
