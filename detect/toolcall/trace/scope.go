package trace

import "mvdan.cc/sh/v3/syntax"

// SavedVariable is a variable as it was before something that passes covered it.
type SavedVariable struct {
	Name string
	old  Variable
	had  bool
}

func (s *Scope) Save(name string) SavedVariable {
	old, had := s.Vars[name]
	return SavedVariable{Name: name, old: old, had: had}
}

func (s *Scope) Restore(saved SavedVariable) {
	s.Own()
	if saved.had {
		s.Vars[saved.Name] = saved.old
		return
	}
	delete(s.Vars, saved.Name)
}

// Forget makes a variable unknown.
func (s *Scope) Forget(name string) { s.Set(name, unknownVariable(name)) }

func unknownVariable(name string) Variable {
	return Variable{Values: []Value{{Text: "$" + name, Quality: Quality{Partial: true}}}}
}

// ForgetAll makes every variable unknown, after code that nobody has seen has run in the shell itself; a script keeps its
// name.
func (s *Scope) ForgetAll() {
	s.Own()
	for name := range s.Vars {
		if name == "0" {
			continue
		}
		s.Vars[name] = unknownVariable(name)
	}
}

// EnterFunction sets a function's arguments and returns what takes them back, with the function's local variables.
func (s *Scope) EnterFunction(args []Value) func() {
	outer, locals := s.Args, s.Locals
	mine := []SavedVariable{}
	s.Args, s.Locals = args, &mine
	return func() {
		for i := len(mine) - 1; i >= 0; i-- {
			s.Restore(mine[i])
		}
		s.Args, s.Locals = outer, locals
	}
}

// either is the body of a function of which it is not known which of two declarations holds: both are run.
func either(x, y *syntax.Stmt) *syntax.Stmt {
	if x == nil || x == y {
		return y
	}
	return &syntax.Stmt{Cmd: &syntax.Block{Stmts: []*syntax.Stmt{x, y}}}
}
