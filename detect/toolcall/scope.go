package toolcall

import (
	"strconv"

	"mvdan.cc/sh/v3/syntax"
)

// savedVariable is a variable as it was before something that passes covered it.
type savedVariable struct {
	name string
	old  variable
	had  bool
}

func (s *scope) save(name string) savedVariable {
	old, had := s.vars[name]
	return savedVariable{name: name, old: old, had: had}
}

func (s *scope) restore(saved savedVariable) {
	s.own()
	if saved.had {
		s.vars[saved.name] = saved.old
		return
	}
	delete(s.vars, saved.name)
}

// forget makes a variable unknown.
func (s *scope) forget(name string) { s.set(name, unknownVariable(name)) }

func unknownVariable(name string) variable {
	return variable{values: []value{{text: "$" + name, quality: quality{partial: true}}}}
}

// forgetAll makes every variable unknown, after code that nobody has seen has run in the shell itself; a script keeps its
// name.
func (s *scope) forgetAll() {
	s.own()
	for name := range s.vars {
		if name == "0" {
			continue
		}
		s.vars[name] = unknownVariable(name)
	}
}

// enterFunction sets a function's arguments and returns what takes them back, with the function's local variables.
func (s *scope) enterFunction(args []value) func() {
	outer, locals := s.args, s.locals
	mine := []savedVariable{}
	s.args, s.locals = args, &mine
	return func() {
		for i := len(mine) - 1; i >= 0; i-- {
			s.restore(mine[i])
		}
		s.args, s.locals = outer, locals
	}
}

// either is the body of a function of which it is not known which of two declarations holds: both are run.
func either(x, y *syntax.Stmt) *syntax.Stmt {
	if x == nil || x == y {
		return y
	}
	return &syntax.Stmt{Cmd: &syntax.Block{Stmts: []*syntax.Stmt{x, y}}}
}

// assignAll follows the assignments of a command that is nothing else.
func (a *analyzer) assignAll(list []*syntax.Assign, sc *scope) {
	for _, as := range list {
		a.assign(as, sc)
	}
}

// lend follows the assignments before a command, which hold as long as it runs, and returns what takes them back. A
// variable that the command itself changed is not known afterwards.
func (a *analyzer) lend(list []*syntax.Assign, sc *scope) func() {
	var saved []savedVariable
	for _, as := range list {
		if as.Name != nil {
			saved = append(saved, sc.save(as.Name.Value))
		}
		a.assign(as, sc)
	}
	lent := make([]variable, len(saved))
	for i, s := range saved {
		lent[i] = sc.vars[s.name]
	}
	return func() {
		for i := len(saved) - 1; i >= 0; i-- {
			changed := !sameValues(sc.vars[saved[i].name], lent[i])
			sc.restore(saved[i])
			if changed {
				sc.forget(saved[i].name)
			}
		}
	}
}

// setArguments is set with operands; its options are stepped over, and with options alone nothing changes.
func (c *command) setArguments(args []value) {
	for i := 0; i < len(args); i++ {
		switch text := args[i].text; {
		case text == "--" || text == "-":
			c.sc.args = append([]value{}, args[i+1:]...)
			return
		case text == "-o" || text == "+o":
			i++
		case len(text) < 2 || text[0] != '-' && text[0] != '+':
			c.sc.args = append([]value{}, args[i:]...)
			return
		case text[len(text)-1] == 'o':
			i++
		}
	}
}

// shiftBy is shift with its count; one that is not known leaves nothing known.
func (c *command) shiftBy(args []value) {
	n := 1
	if len(args) > 0 {
		count, err := strconv.Atoi(args[0].text)
		if err != nil || count < 0 || args[0].partial {
			c.sc.args = nil
			return
		}
		n = count
	}
	if n <= len(c.sc.args) {
		c.sc.args = c.sc.args[n:]
	}
}

// getoptsBuiltin sets its variable and two more to what is not known.
func getoptsBuiltin(_ *analyzer, c *command) flow {
	for _, name := range [...]string{argAt(c.argv, 2), "OPTARG", "OPTIND"} {
		if name != "" {
			c.sc.forget(name)
		}
	}
	return nothing()
}
