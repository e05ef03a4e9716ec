package toolcall

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// chain follows a && b && c. All but the first may not run, so what they change is in doubt after the chain; within it
// each of them sees what those before it did.
func (a *analyzer) chain(c *syntax.BinaryCmd, sc *scope, io streams) flow {
	links := []*syntax.Stmt{c.Y}
	first := c.X
	for {
		inner, ok := first.Cmd.(*syntax.BinaryCmd)
		if !ok || inner.Op != syntax.AndStmt || len(first.Redirs) > 0 || first.Negated || first.Background {
			break
		}
		links = append(links, inner.Y)
		first = inner.X
	}
	out := a.statement(first, sc, io.in)
	rest := sc.sub()
	for i := len(links) - 1; i >= 0; i-- {
		out = a.sequence(out, a.statement(links[i], rest, io.in), false)
	}
	sc.join(rest)
	return out
}

func (a *analyzer) whileClause(c *syntax.WhileClause, sc *scope, io streams) flow {
	a.endlessLoop(c)
	lines, ok := a.linesRead(c, io.in)
	if !ok {
		if io.in.known && strings.TrimSpace(io.in.text) != "" && strings.Contains(strings.TrimRight(io.in.text, "\n"), "\n") {
			io.in = flow{taint: io.in.taint}
		}
		out := a.statements(c.Cond, sc, io.in)
		return a.sequence(out, a.turns(c.Do, sc, io.in), false)
	}
	var out flow
	for i, line := range lines {
		io.in.text = line
		out = a.sequence(out, a.statements(c.Cond, sc, io.in), i == 0)
		out = a.sequence(out, a.statements(c.Do, sc, io.in), false)
	}
	return out
}

// linesRead are the lines that the loop "while read x" goes through, when they are known.
func (a *analyzer) linesRead(c *syntax.WhileClause, in flow) ([]string, bool) {
	if c.Until || len(c.Cond) != 1 || !in.known {
		return nil, false
	}
	call, ok := c.Cond[0].Cmd.(*syntax.CallExpr)
	if !ok || len(call.Args) < 2 || call.Args[0].Lit() != "read" {
		return nil, false
	}
	for _, word := range call.Args[1:] {
		if flag := word.Lit(); strings.HasPrefix(flag, "-") && flag != "-r" {
			return nil, false
		}
	}
	lines := strings.Split(strings.TrimRight(in.text, "\n"), "\n")
	return lines, len(lines) <= maxTurns && in.text != ""
}

// turns follows the body of a loop that may run any number of times, also none. When a turn changes what the next one
// sees, a second one is followed with that in doubt.
func (a *analyzer) turns(body []*syntax.Stmt, sc *scope, in flow) flow {
	branch := sc.sub()
	out := a.statements(body, branch, in)
	changed := sc.differs(branch)
	sc.join(branch)
	if changed && a.depth+a.nesting < maxRepeats {
		again := sc.sub()
		out = a.sequence(out, a.statements(body, again, in), false)
		sc.join(again)
	}
	out.known = false
	return out
}

// maxRepeats is how deep in other commands a loop may stand for its second turn to be followed.
const maxRepeats = 16

// differs reports whether a branch has changed what the scope knew.
func (s *scope) differs(branch *scope) bool {
	for name, old := range s.vars {
		if !sameValues(old, branch.vars[name]) {
			return true
		}
	}
	return s.cwd != branch.cwd || s.cwdUnknown != branch.cwdUnknown
}
