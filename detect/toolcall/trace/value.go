package trace

import (
	"maps"
	"slices"

	"mvdan.cc/sh/v3/syntax"
)

// IsPrivate reports whether data may not leave the machine.
func (t Taint) IsPrivate() bool { return t.Has(FromSecret | FromEnviron) }

func (v Variable) Scalar() Value {
	if len(v.Values) == 0 {
		return Value{}
	}
	return v.Values[0]
}

func Concat(x, y Value) Value {
	if len(x.Text)+len(y.Text) > MaxWord {
		return Value{Text: x.Text, Quality: Quality{Partial: true, Taint: x.Taint | y.Taint}}
	}
	return Value{Text: x.Text + y.Text, Quality: Quality{Partial: x.Partial || y.Partial, Glob: x.Glob || y.Glob, Taint: x.Taint | y.Taint}}
}

// MaxTurns bounds how many items of a for loop are followed one by one.
const MaxTurns = 64

// Value is what is known of one argument of a command.
type Value struct {
	Text string
	Quality
	// pipe is what a process substitution delivers.
	Pipe *Flow
}

// Quality is what is known of a value beside its text. It stands apart because the compiler holds a struct in registers
// only when it has at most four fields, and copies all others through memory wherever they go.
type Quality struct {
	// partial is set when some of text is not known; that part is written as in the source.
	Partial bool
	// glob is set when text has unquoted glob characters.
	Glob bool
	// taint is where the unknown or computed part comes from.
	Taint Taint
}

// Taint is a set of origins of data.
type Taint uint16

const (
	FromNetwork Taint = 1 << iota // downloaded
	FromSocket                    // from a raw connection
	Decoded                       // base64, hex, reversed, …
	FromSecret                    // from a file that holds a secret
	FromEnviron                   // the whole environment
	FromShell                     // what an interactive shell prints
	FromProgram                   // computed by some program
	FromFile                      // from a file of which the content is not known
	Endless                       // never ends: /dev/zero, yes
	fromGuard                     // one of the product's own programs
)

func (t Taint) Has(other Taint) bool { return t&other != 0 }

// Flow is data on its way through a pipe, a here-document or a file.
type Flow struct {
	Text  string
	Known bool
	Taint Taint
	// file is the path that the data was read from, for the reason that is given; nil for none. As a pointer it keeps the
	// whole small enough for the compiler to hold in registers, without which it is copied all over the place.
	File *string
}

// From is the path that the data was read from, or nothing.
func (f Flow) From() string {
	if f.File == nil {
		return ""
	}
	return *f.File
}

func PathOfFlow(path string) *string { return &path }

// Nothing is an empty stream.
func Nothing() Flow { return Flow{Known: true} }

// Unknown is a stream of which nothing is known.
func Unknown() Flow { return Flow{Taint: FromProgram} }

// Variable is a shell variable; an array has any number of values, a scalar one.
type Variable struct {
	Values []Value
	Array  bool
}

// Scope is the state of a shell while its commands are followed.
type Scope struct {
	Vars    map[string]Variable
	Funcs   map[string]*syntax.Stmt
	Aliases map[string]string
	Args    []Value // $1, $2, …
	Cwd     string
	// cwdUnknown is set after a cd to a place that is not known.
	CwdUnknown bool
	// locals are the variables that the function being run has for itself, with what they were outside of it.
	Locals *[]SavedVariable
	// lost is set once a name may stand for another variable: then no variable is known any more.
	Lost bool
	// box is the container that the commands run in, if they do.
	Container *Container
	// owned is false while the maps are shared with the scope this one was made from.
	owned bool
}

// Sub is the scope of a subshell: what it changes does not come back.
func (s *Scope) Sub() *Scope {
	copied := *s
	copied.owned, s.owned = false, false
	copied.Locals = nil
	return &copied
}

func (s *Scope) Own() {
	if s.owned {
		return
	}
	s.Vars, s.Funcs, s.Aliases = Clone(s.Vars), Clone(s.Funcs), Clone(s.Aliases)
	s.owned = true
}

func Clone[V any](m map[string]V) map[string]V {
	if m == nil {
		return map[string]V{}
	}
	return maps.Clone(m)
}

func (s *Scope) Set(name string, v Variable) {
	s.Own()
	s.Vars[name] = v
}

// Join takes over what a branch that may or may not have run did: a variable that it changed is not known any more.
func (s *Scope) Join(branch *Scope) {
	for name, v := range branch.Vars {
		if old, ok := s.Vars[name]; ok && SameValues(old, v) {
			continue
		} else if ok {
			v = Variable{Values: []Value{{Text: "$" + name, Quality: Quality{Partial: true}}}}
		}
		s.Set(name, v)
	}
	for name, f := range branch.Funcs {
		s.Own()
		s.Funcs[name] = either(s.Funcs[name], f)
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

func SameValues(a, b Variable) bool {
	return slices.EqualFunc(a.Values, b.Values, func(x, y Value) bool {
		return x.Text == y.Text && x.Partial == y.Partial
	})
}

// MaxFields bounds what braces and lists in one word may unfold to.
const MaxFields = 128

// MaxWord is how long a word may grow; one that is put together beyond it is not known any more.
const MaxWord = 2 * MaxCommandSize
