package toolcall

import (
	"maps"
	"slices"

	"mvdan.cc/sh/v3/syntax"
)

// value is what is known of one argument of a command.
type value struct {
	text string
	quality
	// pipe is what a process substitution delivers.
	pipe *flow
}

// quality is what is known of a value beside its text. It stands apart because the compiler holds a struct in registers
// only when it has at most four fields, and copies all others through memory wherever they go.
type quality struct {
	// partial is set when some of text is not known; that part is written as in the source.
	partial bool
	// glob is set when text has unquoted glob characters.
	glob bool
	// taint is where the unknown or computed part comes from.
	taint taint
}

// taint is a set of origins of data.
type taint uint16

const (
	fromNetwork taint = 1 << iota // downloaded
	fromSocket                    // from a raw connection
	decoded                       // base64, hex, reversed, …
	fromSecret                    // from a file that holds a secret
	fromEnviron                   // the whole environment
	fromShell                     // what an interactive shell prints
	fromProgram                   // computed by some program
	fromFile                      // from a file of which the content is not known
	endless                       // never ends: /dev/zero, yes
	fromGuard                     // one of the product's own programs
)

func (t taint) has(other taint) bool { return t&other != 0 }

// flow is data on its way through a pipe, a here-document or a file.
type flow struct {
	text  string
	known bool
	taint taint
	// file is the path that the data was read from, for the reason that is given; nil for none. As a pointer it keeps the
	// whole small enough for the compiler to hold in registers, without which it is copied all over the place.
	file *string
}

// from is the path that the data was read from, or nothing.
func (f flow) from() string {
	if f.file == nil {
		return ""
	}
	return *f.file
}

func pathOfFlow(path string) *string { return &path }

// nothing is an empty stream.
func nothing() flow { return flow{known: true} }

// unknown is a stream of which nothing is known.
func unknown() flow { return flow{taint: fromProgram} }

// variable is a shell variable; an array has any number of values, a scalar one.
type variable struct {
	values []value
	array  bool
}

// scope is the state of a shell while its commands are followed.
type scope struct {
	vars    map[string]variable
	funcs   map[string]*syntax.Stmt
	aliases map[string]string
	args    []value // $1, $2, …
	cwd     string
	// cwdUnknown is set after a cd to a place that is not known.
	cwdUnknown bool
	// locals are the variables that the function being run has for itself, with what they were outside of it.
	locals *[]savedVariable
	// lost is set once a name may stand for another variable: then no variable is known any more.
	lost bool
	// box is the container that the commands run in, if they do.
	box *box
	// owned is false while the maps are shared with the scope this one was made from.
	owned bool
}

// sub is the scope of a subshell: what it changes does not come back.
func (s *scope) sub() *scope {
	copied := *s
	copied.owned, s.owned = false, false
	copied.locals = nil
	return &copied
}

func (s *scope) own() {
	if s.owned {
		return
	}
	s.vars, s.funcs, s.aliases = clone(s.vars), clone(s.funcs), clone(s.aliases)
	s.owned = true
}

func clone[V any](m map[string]V) map[string]V {
	if m == nil {
		return map[string]V{}
	}
	return maps.Clone(m)
}

func (s *scope) set(name string, v variable) {
	s.own()
	s.vars[name] = v
}

// join takes over what a branch that may or may not have run did: a variable that it changed is not known any more.
func (s *scope) join(branch *scope) {
	for name, v := range branch.vars {
		if old, ok := s.vars[name]; ok && sameValues(old, v) {
			continue
		} else if ok {
			v = variable{values: []value{{text: "$" + name, quality: quality{partial: true}}}}
		}
		s.set(name, v)
	}
	for name, f := range branch.funcs {
		s.own()
		s.funcs[name] = either(s.funcs[name], f)
	}
	s.lost = s.lost || branch.lost
	for name, text := range branch.aliases {
		s.own()
		s.aliases[name] = text
	}
	if branch.cwd != s.cwd || branch.cwdUnknown {
		s.cwdUnknown = true
	}
}

func sameValues(a, b variable) bool {
	return slices.EqualFunc(a.values, b.values, func(x, y value) bool {
		return x.text == y.text && x.partial == y.partial
	})
}
