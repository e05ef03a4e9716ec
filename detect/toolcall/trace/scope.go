package trace

import "mvdan.cc/sh/v3/syntax"

// SavedVariable is the value of a variable before a temporary change.
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

// ForgetAll makes every variable unknown, because unknown code has run in the shell. A script's own name stays known.
func (s *Scope) ForgetAll() {
	s.Own()
	for name := range s.Vars {
		if name == "0" {
			continue
		}
		s.Vars[name] = unknownVariable(name)
	}
}

// EnterFunction sets the arguments of a function and returns a function that restores them and the local variables.
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

// either returns a body that runs both declarations of a function, because it is not known which one is in effect.
func either(x, y *syntax.Stmt) *syntax.Stmt {
	if x == nil || x == y {
		return y
	}
	return &syntax.Stmt{Cmd: &syntax.Block{Stmts: []*syntax.Stmt{x, y}}}
}
