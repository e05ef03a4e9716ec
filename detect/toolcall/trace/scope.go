package trace

import "mvdan.cc/sh/v3/syntax"

// SavedVariable is the value of a variable before a temporary change.
type SavedVariable struct {
	Name   string
	value  Variable
	wasSet bool
}

// Save returns the current value of a variable, for Restore.
func (s *Scope) Save(name string) SavedVariable {
	value, ok := s.Vars[name]
	return SavedVariable{Name: name, value: value, wasSet: ok}
}

// Restore sets a variable to its saved value.
func (s *Scope) Restore(saved SavedVariable) {
	s.Own()
	if saved.wasSet {
		s.Vars[saved.Name] = saved.value
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

// bothBodies returns a body that runs both definitions of a function, for a shell in which either definition may apply.
func bothBodies(x, y *syntax.Stmt) *syntax.Stmt {
	if x == nil || x == y {
		return y
	}
	return &syntax.Stmt{Cmd: &syntax.Block{Stmts: []*syntax.Stmt{x, y}}}
}
