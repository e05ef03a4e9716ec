package shell

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"guardrails/detect/effect"
	"guardrails/detect/toolcall/trace"
	"guardrails/internal/product"
)

func assignAll(t *trace.Trace, list []*syntax.Assign, sc *trace.Scope) {
	for _, as := range list {
		assign(t, as, sc)
	}
}

// assignForCommand evaluates the assignments in front of a command. These assignments apply only while the command
// runs. assignForCommand returns a function that undoes them. If the command itself changes one of the variables, the
// value of this variable is unknown afterwards.
func assignForCommand(t *trace.Trace, list []*syntax.Assign, argv []trace.Value, sc *trace.Scope) func() {
	var saved []trace.SavedVariable
	for _, as := range list {
		if as.Name != nil && isLiteral(as) && trace.IsHistoryVariable(as.Name.Value) && trace.RunsNoShell(argv) {
			continue
		}
		if as.Name != nil {
			saved = append(saved, sc.Save(sc.Target(as.Name.Value)))
		}
		// The variable that names the project matters only to the guard and the client. Their handlers look for it.
		if as.Name == nil || as.Name.Value != product.VariableProject {
			sensitiveAssignment(t, as, sc)
		}
		give(t, as, sc)
		if as.Name != nil {
			sc.Export(as.Name.Value, true)
		}
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

// isLiteral reports whether the value of an assignment is plain text. An assignment of plain text runs no command.
func isLiteral(as *syntax.Assign) bool {
	return as.Index == nil && as.Array == nil && (as.Value == nil || as.Value.Lit() != "")
}

// stepsOfAssignment is the number of steps that the analysis counts for each assignment. The number is large, so a
// script with thousands of variables reaches the limit on steps before the script takes too much time.
const stepsOfAssignment = 60

// assign() evaluates an assignment. A name without an equals sign, as in "export X", changes no variable.
func assign(t *trace.Trace, as *syntax.Assign, sc *trace.Scope) {
	sensitiveAssignment(t, as, sc)
	give(t, as, sc)
}

// give() gives a variable its new value.
func give(t *trace.Trace, as *syntax.Assign, sc *trace.Scope) {
	if as.Index != nil {
		walkSubstitutions(t, as.Index, sc)
	}
	if as.Naked || as.Name == nil {
		return
	}
	name := sc.Target(as.Name.Value)
	t.Spend(stepsOfAssignment)
	switch {
	case as.Array != nil:
		var values []trace.Value
		for _, e := range as.Array.Elems {
			if e.Index != nil {
				if key, ok := e.Index.(*syntax.Word); ok && name == aliasArray(t) && e.Value != nil {
					sc.Aliases.Set(single(t, key, sc).Text, single(t, e.Value, sc).Text)
					continue
				}
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
		t.Keep(name, trace.Variable{Values: values, Array: true}, sc)
	case as.Value != nil && as.Index == nil:
		v := single(t, as.Value, sc)
		if as.Append {
			v = trace.Concat(sc.Vars.Get(name).Scalar(), v)
			t.Spend(len(v.Text) / 16)
		}
		t.Keep(name, trace.Variable{Values: []trace.Value{v}}, sc)
	case as.Index == nil:
		t.Keep(name, trace.Variable{Values: []trace.Value{{}}}, sc)
	default:
		assignElement(t, name, as, sc)
	}
}

// The type "declaration" says what a command such as "export" or "declare" does with the variables that the command
// names.
type declaration struct{ local, reference, exports, hides bool }

// refer() makes a variable a reference to another variable, as "declare -n X=NAME" does. After that, X=value changes
// the variable NAME.
func refer(t *trace.Trace, name string, target trace.Value, sc *trace.Scope, span effect.Span) {
	if trace.IsSensitive(target.Text) {
		t.VariableEffect(target.Text, trace.Value{Quality: trace.Quality{Partial: true}}, sc, span)
	}
	sc.Refer(name, target)
}

// assignFields evaluates the words in a declaration, as in export "X=1". It is for words that the parser does not treat
// as assignments. The words of "export $(cat .env)" set variables that hold secrets.
func (d *declaration) assignFields(t *trace.Trace, list []trace.Value, sc *trace.Scope, span effect.Span) {
	for i := range list {
		v := &list[i]
		if (v.Taint &^ trace.FromToken).IsPrivate() {
			sc.Secrets, t.Sourced = true, len(t.Effects)
		}
		if name, text, ok := strings.Cut(v.Text, "="); ok {
			name, v.Text = strings.TrimSuffix(name, "+"), text
			t.Spend(stepsOfAssignment)
			if d.local {
				*sc.Locals = append(*sc.Locals, sc.Save(name))
			}
			if d.reference {
				refer(t, name, *v, sc, span)
				continue
			}
			t.SetVariable(name, list[i:], sc, span)
			d.export(sc, name)
		}
	}
}

func (d *declaration) export(sc *trace.Scope, name string) {
	if d.exports || d.hides {
		sc.Export(name, d.exports)
	}
}

// aliasArray returns the name of the array whose elements are aliases.
func aliasArray(t *trace.Trace) string {
	if t.Zsh {
		return "aliases"
	}
	return "BASH_ALIASES"
}

// assignElement evaluates an assignment to an element of an array, such as a[0]=x. The array becomes unknown, unless
// the index belongs to an existing element or directly follows the last index.
func assignElement(t *trace.Trace, name string, as *syntax.Assign, sc *trace.Scope) {
	v := single(t, as.Value, sc)
	if key, ok := as.Index.(*syntax.Word); ok && name == aliasArray(t) {
		sc.Aliases.Set(single(t, key, sc).Text, v.Text)
	}
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

// sensitiveAssignment marks an assignment if the guard needs the variable, or if the variable decides what later
// commands run.
func sensitiveAssignment(t *trace.Trace, as *syntax.Assign, sc *trace.Scope) {
	if as.Naked || as.Name == nil {
		return
	}
	if name := sc.Target(as.Name.Value); trace.IsSensitive(name) {
		t.VariableEffect(name, single(t, as.Value, sc), sc, spanOf(t, as.Pos(), as.End()))
	}
}
