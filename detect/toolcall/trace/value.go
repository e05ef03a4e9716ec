package trace

import (
	"maps"
	"slices"

	"mvdan.cc/sh/v3/syntax"
)

// IsPrivate reports whether the data must stay on this machine.
func (t Taint) IsPrivate() bool { return t.Has(FromSecret | FromEnviron | FromFolder | FromVariables) }

// Scalar returns the value of a variable. For an array, the result is the first element.
func (v Variable) Scalar() Value {
	if len(v.Values) == 0 {
		return Value{}
	}
	return v.Values[0]
}

// Concat joins two values. If the result would be too long, it is only partly known.
func Concat(x, y Value) Value {
	if len(x.Text)+len(y.Text) > MaxWord {
		return Value{Text: x.Text, Quality: Quality{Partial: true, Taint: x.Taint | y.Taint}}
	}
	quality := Quality{Partial: x.Partial || y.Partial, Glob: x.Glob || y.Glob, Taint: x.Taint | y.Taint}
	return Value{Text: x.Text + y.Text, Quality: quality}
}

// MaxTurns is the maximum number of items of a "for" loop that are analyzed one by one.
const MaxTurns = 64

// Value describes one argument of a command as far as it is known.
type Value struct {
	Text string
	Quality
	// Pipe is set if the argument is a process substitution. Pipe is the output of that substitution.
	Pipe *Flow
}

// Quality says what is known about a value besides its text. Quality is a separate struct because the compiler keeps
// only structs of at most four fields in registers. It copies larger structs through memory.
type Quality struct {
	// Partial is set if a part of the text is unknown. The text then contains the source of that part.
	Partial bool
	// Glob is set if the text contains glob characters without quotes.
	Glob bool
	// Taint says where the unknown or computed part comes from.
	Taint Taint
}

// Taint is a set of origins of data.
type Taint uint16

// These are the origins of data.
const (
	FromNetwork  Taint = 1 << iota // downloaded
	FromSocket                     // from a raw connection
	Decoded                        // decoded from base64, from hex, from a reversed text or similarly
	FromSecret                     // from a file that contains a secret
	FromEnviron                    // from the whole environment
	FromShell                      // from the output of an interactive shell
	FromProgram                    // computed by some program
	FromFile                       // from a file with unknown content
	Endless                        // from a source that never ends, such as /dev/zero or the program yes
	fromGuard                      // from one of the product's own programs
	FromChanges                    // from a patch with the uncommitted changes of the working tree
	FromReversal                   // from a patch that removes the uncommitted changes
	FromSetting                    // from a variable that a file with secrets has set
	FromFolder                     // from a folder that also has a file with secrets
	FromArgument                   // from an argument of the script that runs
	FromToken                      // from a variable whose name shows which service its secret is for
)

// FromVariables stands for both kinds of variables that hold secrets.
const FromVariables = FromSetting | FromToken

// Has reports whether the taint t contains at least one of the origins in the parameter "other".
func (t Taint) Has(other Taint) bool { return t&other != 0 }

// Flow is the data in a pipe, a here-document or a file.
type Flow struct {
	Text  string
	Known bool
	Taint Taint
	// File is the path of the file that the data was read from, or nil. Reasons show this path. The field is a pointer, so
	// that the struct Flow is small enough for registers.
	File *string
}

// From is a method that returns the path of the file from which the data was read, or "".
func (f Flow) From() string {
	if f.File == nil {
		return ""
	}
	return *f.File
}

// PathOfFlow returns a value for the field Flow.File.
func PathOfFlow(path string) *string { return &path }

// Nothing is a function that returns a flow with no data in it.
func Nothing() Flow { return Flow{Known: true} }

// Unknown returns a flow with unknown data.
func Unknown() Flow { return Flow{Taint: FromProgram} }

// Variable is a shell variable. A scalar has one value, and an array has any number of values.
type Variable struct {
	Values []Value
	Array  bool
	// Reference is set if the variable refers to another variable (declare -n). Its value is the name of the other
	// variable.
	Reference bool
	// Inner is set if the variable is not exported, so programs do not inherit it.
	Inner bool
	// The field "Choices" lists the values that the variable may have. It is set if the branches of a statement such as
	// "if" set different values. The field Values then says that the value is unknown.
	Choices []Value
}

// maxChoices is the maximum number of values in Variable.Choices.
const maxChoices = 4

// oneOf returns a variable that has the value of either a or b. If one of these values is not fully known, the whole
// value is unknown.
func oneOf(name string, a, b Variable) Variable {
	out := unknownVariable(name)
	out.Inner = a.Inner && b.Inner
	for _, v := range [...]Variable{a, b} {
		values := v.Choices
		if values == nil {
			values = v.Values
		}
		for _, x := range values {
			if v.Array || v.Reference || x.Partial || x.Glob || x.Taint != 0 || x.Pipe != nil || len(out.Choices) == maxChoices {
				out.Choices = nil
				return out
			}
			if !slices.ContainsFunc(out.Choices, func(y Value) bool { return x.Text == y.Text }) {
				out.Choices = append(out.Choices, x)
			}
		}
	}
	return out
}

// Scope is the state of a shell while its commands are analyzed.
type Scope struct {
	Vars    Table[Variable]
	Funcs   Table[*syntax.Stmt]
	Aliases Table[string]
	Args    []Value // $1, $2, …
	Cwd     string
	// CwdUnknown is set after the shell has changed to an unknown folder.
	CwdUnknown bool
	// The field "Locals" lists the local variables of the function that is being called. For each variable, it holds the
	// value that the variable has outside of the function.
	Locals *[]SavedVariable
	// The field "References" is set after "declare -n". The field "Lost" is set after an assignment to a reference if the
	// analysis does not know to which variable the reference leads. From then on, the values of all variables are unknown.
	References, Lost bool
	// HasChoices is set if a variable has one of several values, or is an array.
	HasChoices bool
	// The field "Exports" is set while the shell exports every variable that the shell sets (set -a).
	Exports bool
	// Secrets is set after the shell has run a file with secrets, such as .env. The field "Traces" is set while the shell
	// prints the commands that it runs (set -x).
	Secrets, Traces bool
	// Production is set if the commands run on a machine or in a cluster whose name says that it is in production.
	// ProductionCluster is set if kubectl uses such a cluster.
	Production, ProductionCluster bool
	// The field "Traps" lists the commands that run when the shell ends.
	Traps []Trap
	// Container is the container in which the commands run. It is nil outside of containers.
	Container *Container
}

// Trap is a text that the shell runs when it ends, and the command "trap" with this text.
type Trap struct {
	Command *Command
	Text    Value
}

// Sub returns the scope of a subshell. Changes of this scope do not affect the parent scope.
func (s *Scope) Sub() *Scope {
	copied := *s
	copied.Locals = nil
	return &copied
}

// Clone returns a copy of a map. The copy of nil is an empty map.
func Clone[V any](m map[string]V) map[string]V {
	if m == nil {
		return map[string]V{}
	}
	return maps.Clone(m)
}

// Set gives a variable a value. If the variable is a reference, the variable to which it refers gets the value. If that
// variable is not known, the values of all variables become unknown.
func (s *Scope) Set(name string, v Variable) {
	name = s.Target(name)
	if s.References {
		old := s.Vars.Get(name)
		v.Reference = old.Reference && len(old.Values) == 0 // the first value is the name of the other variable
		s.Lost = s.Lost || old.Reference && !v.Reference
	}
	s.HasChoices = s.HasChoices || v.Array
	s.Vars.Set(name, v)
}

// SetScalar gives a variable a single value.
func (s *Scope) SetScalar(name string, v Value) { s.Set(name, Variable{Values: []Value{v}}) }

// Join merges the changes of a branch, such as the body of "if", into the scope. It is unknown whether the branch has
// run. So a variable that the branch changes has either its old value or its new value afterwards. If only the branch
// has set a variable, the variable gets the value from the branch.
func (s *Scope) Join(branch *Scope) {
	branch.Vars.Changes(s.Vars, func(name string, v Variable) {
		if old, ok := s.Vars.Find(name); ok && SameValues(old, v) {
			return
		} else if ok {
			v = oneOf(name, old, v)
			s.HasChoices = s.HasChoices || v.Choices != nil
		} else if name == "HOME" {
			return // the environment has set it before
		}
		s.Set(name, v)
	})
	branch.Funcs.Changes(s.Funcs, func(name string, f *syntax.Stmt) {
		if old := s.Funcs.Get(name); old != f {
			s.Funcs.Set(name, bothBodies(old, f))
		}
	})
	s.HasChoices = s.HasChoices || branch.HasChoices
	s.Lost, s.Secrets = s.Lost || branch.Lost, s.Secrets || branch.Secrets
	s.References = s.References || branch.References
	branch.Aliases.Changes(s.Aliases, s.Aliases.Set)
	for _, trap := range branch.Traps {
		if !slices.ContainsFunc(s.Traps, func(other Trap) bool { return other.Command == trap.Command }) {
			s.Traps = append(slices.Clip(s.Traps), trap)
		}
	}
	if branch.Cwd != s.Cwd || branch.CwdUnknown {
		s.CwdUnknown = true
	}
}

// SameValues reports whether two variables have the same values.
func SameValues(a, b Variable) bool {
	same := func(x, y Value) bool { return x.Text == y.Text && x.Partial == y.Partial }
	return slices.EqualFunc(a.Values, b.Values, same) && slices.EqualFunc(a.Choices, b.Choices, same)
}

// MaxFields is the maximum number of fields that one word with braces or lists may expand to.
const MaxFields = 128

// MaxWord is the maximum length in bytes of a word. A longer word is at least partly unknown.
const MaxWord = 2 * MaxCommandSize
