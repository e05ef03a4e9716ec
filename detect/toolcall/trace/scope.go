package trace

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// SavedVariable is the value that a variable had before a temporary change.
type SavedVariable struct {
	Name   string
	value  Variable
	wasSet bool
}

// Save returns the current value of a variable. The method Restore can set this value again later.
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

// maxReferences is the maximum number of references that the method Target follows one after another.
const maxReferences = 8

// Target returns the name of the variable that a reference (declare -n) refers to. For other names, it returns the name
// itself.
func (s *Scope) Target(name string) string {
	for i := 0; s.References && i < maxReferences; i++ {
		v := s.Vars.Get(name)
		target := v.Scalar()
		if !v.Reference || target.Text == "" || target.Partial || strings.Contains(target.Text, "[") {
			break
		}
		name = target.Text
	}
	return name
}

// Refer makes a variable a reference to another variable (declare -n). The parameter "target" is the name of the
// other variable. Without a target, the next value that is assigned to the reference is the name of the other variable.
func (s *Scope) Refer(name string, target ...Value) {
	s.References = true
	s.Vars.Set(name, Variable{Values: target, Reference: true})
}

// Export sets whether programs inherit a variable.
func (s *Scope) Export(name string, exported bool) {
	name = s.Target(name)
	if v, ok := s.Vars.Find(name); ok && v.Inner == exported {
		v.Inner = !exported
		s.Vars.Set(name, v)
	}
}

// Exported is a method that returns the value that programs inherit from a variable. It is empty if the variable is not
// exported.
func (s *Scope) Exported(name string) Value {
	v := s.Vars.Get(name)
	if v.Inner {
		return Value{}
	}
	return v.Scalar()
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
	s.Forget("") // stands for all variables that the code may have set
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

// bothBodies is for a shell function with two definitions of which only one applies. It is unknown which definition
// applies. bothBodies returns a body that runs both definitions one after the other.
func bothBodies(x, y *syntax.Stmt) *syntax.Stmt {
	if x == nil || x == y {
		return y
	}
	return &syntax.Stmt{Cmd: &syntax.Block{Stmts: []*syntax.Stmt{x, y}}}
}
