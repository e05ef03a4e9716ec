package trace

import "mvdan.cc/sh/v3/syntax"

// SavedVariable is the value that a variable had before a temporary change.
type SavedVariable struct {
	Name   string
	value  Variable
	wasSet bool
}

// Save returns the current value of a variable. Restore can set it again later.
func (s *Scope) Save(name string) SavedVariable {
	value, ok := s.Vars.Find(name)
	return SavedVariable{Name: name, value: value, wasSet: ok}
}

// Restore gives a variable the value that Save has returned.
func (s *Scope) Restore(saved SavedVariable) {
	if saved.wasSet {
		s.Vars.Set(saved.Name, saved.value)
		return
	}
	s.Vars.Unset(saved.Name)
}

// Forget makes the value of a variable unknown.
func (s *Scope) Forget(name string) { s.Set(name, unknownVariable(name)) }

func unknownVariable(name string) Variable {
	return Variable{Values: []Value{{Text: "$" + name, Quality: Quality{Partial: true}}}}
}

// ForgetAll makes the values of all variables unknown, because unknown code has run in the shell. Only the name of the
// script stays known.
func (s *Scope) ForgetAll() {
	s.Vars.Changes(Table[Variable]{}, func(name string, _ Variable) {
		if name != "0" {
			s.Forget(name)
		}
	})
}

// EnterFunction sets the arguments of a shell function. The function that it returns restores the earlier arguments and
// the local variables.
func (s *Scope) EnterFunction(args []Value) func() {
	outerArgs, outerLocals := s.Args, s.Locals
	saved := []SavedVariable{}
	s.Args, s.Locals = args, &saved
	return func() {
		for i := len(saved) - 1; i >= 0; i-- {
			s.Restore(saved[i])
		}
		s.Args, s.Locals = outerArgs, outerLocals
	}
}

// bothBodies returns a body that runs two definitions of the same shell function one after the other, because it is
// unknown which of them applies.
func bothBodies(x, y *syntax.Stmt) *syntax.Stmt {
	if x == nil || x == y {
		return y
	}
	return &syntax.Stmt{Cmd: &syntax.Block{Stmts: []*syntax.Stmt{x, y}}}
}
