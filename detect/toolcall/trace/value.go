package trace

import (
	"maps"
	"slices"

	"mvdan.cc/sh/v3/syntax"
)

// IsPrivate reports whether data must not leave the machine.
func (t Taint) IsPrivate() bool { return t.Has(FromSecret | FromEnviron) }

// Scalar returns the value of a scalar, or the first value of an array.
func (v Variable) Scalar() Value {
	if len(v.Values) == 0 {
		return Value{}
	}
	return v.Values[0]
}

// Concat returns the concatenation of two values. If it would be too long, the result is only partly known.
func Concat(x, y Value) Value {
	if len(x.Text)+len(y.Text) > MaxWord {
		return Value{Text: x.Text, Quality: Quality{Partial: true, Taint: x.Taint | y.Taint}}
	}
	quality := Quality{Partial: x.Partial || y.Partial, Glob: x.Glob || y.Glob, Taint: x.Taint | y.Taint}
	return Value{Text: x.Text + y.Text, Quality: quality}
}

// MaxTurns is the maximum number of items of a for loop that are analyzed one by one.
const MaxTurns = 64

// Value describes one argument of a command as far as it is known.
type Value struct {
	Text string
	Quality
	// Pipe is the output of a process substitution.
	Pipe *Flow
}

// Quality has the properties of a value other than its text. It is a separate struct because the compiler keeps structs
// of at most four fields in registers and copies larger ones through memory.
type Quality struct {
	// Partial is set if a part of the text is unknown. That part is written as in the source.
	Partial bool
	// Glob is set if the text has unquoted glob characters.
	Glob bool
	// Taint is the origin of the unknown or computed part.
	Taint Taint
}

// Taint is a set of origins of data.
type Taint uint16

// The origins of data.
const (
	FromNetwork Taint = 1 << iota // downloaded
	FromSocket                    // from a raw connection
	Decoded                       // base64, hex, reversed, …
	FromSecret                    // from a file that contains a secret
	FromEnviron                   // the whole environment
	FromShell                     // what an interactive shell prints
	FromProgram                   // computed by some program
	FromFile                      // from a file with unknown content
	Endless                       // never ends: /dev/zero, yes
	fromGuard                     // one of the product's own programs
)

// Has reports whether the sets have an origin in common.
func (t Taint) Has(other Taint) bool { return t&other != 0 }

// Flow is data in a pipe, a here-document or a file.
type Flow struct {
	Text  string
	Known bool
	Taint Taint
	// File is the path that the data was read from, or nil. Reasons mention it. It is a pointer to keep the struct
	// small enough for registers.
	File *string
}

// From returns the path that the data was read from, or "".
func (f Flow) From() string {
	if f.File == nil {
		return ""
	}
	return *f.File
}

// PathOfFlow returns a path for Flow.File.
func PathOfFlow(path string) *string { return &path }

// Nothing returns an empty stream.
func Nothing() Flow { return Flow{Known: true} }

// Unknown returns a stream whose content is unknown.
func Unknown() Flow { return Flow{Taint: FromProgram} }

// Variable is a shell variable. An array has any number of values, a scalar has one.
type Variable struct {
	Values []Value
	Array  bool
}

// Scope is the state of a shell while its commands are analyzed.
type Scope struct {
	Vars    map[string]Variable
	Funcs   map[string]*syntax.Stmt
	Aliases map[string]string
	Args    []Value // $1, $2, …
	Cwd     string
	// CwdUnknown is set after a cd to an unknown folder.
	CwdUnknown bool
	// Locals are the local variables of the function being run, with their values outside of it.
	Locals *[]SavedVariable
	// Lost is set if a variable may be another name for any other variable (declare -n). All variables are unknown
	// then.
	Lost bool
	// Container is the container in which the commands run, or nil.
	Container *Container
	// owned is false while the maps are shared with the parent scope.
	owned bool
}

// Sub returns the scope of a subshell. Its changes do not affect the parent scope.
func (s *Scope) Sub() *Scope {
	copied := *s
	copied.owned, s.owned = false, false
	copied.Locals = nil
	return &copied
}

// Own copies the maps that the scope shares with its parent. Call it before changing one of them.
func (s *Scope) Own() {
	if s.owned {
		return
	}
	s.Vars, s.Funcs, s.Aliases = Clone(s.Vars), Clone(s.Funcs), Clone(s.Aliases)
	s.owned = true
}

// Clone returns a copy of a map. The copy of nil is an empty map.
func Clone[V any](m map[string]V) map[string]V {
	if m == nil {
		return map[string]V{}
	}
	return maps.Clone(m)
}

// Set sets a variable.
func (s *Scope) Set(name string, v Variable) {
	s.Own()
	s.Vars[name] = v
}

// Join merges the changes of a branch that may or may not have run. Every variable that the branch changed becomes
// unknown.
func (s *Scope) Join(branch *Scope) {
	for name, v := range branch.Vars {
		if old, ok := s.Vars[name]; ok && SameValues(old, v) {
			continue
		} else if ok {
			v = unknownVariable(name)
		}
		s.Set(name, v)
	}
	for name, f := range branch.Funcs {
		s.Own()
		s.Funcs[name] = bothBodies(s.Funcs[name], f)
	}
	s.Lost = s.Lost || branch.Lost
	for name, text := range branch.Aliases {
		s.Own()
		s.Aliases[name] = text
	}
	if branch.Cwd != s.Cwd || branch.CwdUnknown {
		s.CwdUnknown = true
	}
}

// SameValues reports whether two variables have the same values.
func SameValues(a, b Variable) bool {
	return slices.EqualFunc(a.Values, b.Values, func(x, y Value) bool {
		return x.Text == y.Text && x.Partial == y.Partial
	})
}

// MaxFields is the maximum number of fields that the braces and lists of one word may expand to.
const MaxFields = 128

// MaxWord is the maximum length of a word. A longer result is unknown.
const MaxWord = 2 * MaxCommandSize
