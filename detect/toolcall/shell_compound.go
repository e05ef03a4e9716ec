package toolcall

import (
	"slices"

	"mvdan.cc/sh/v3/syntax"
)

func (a *analyzer) ifClause(c *syntax.IfClause, sc *scope, io streams) flow {
	out := a.statements(c.Cond, sc, io.in)
	then := sc.sub()
	out = a.sequence(out, a.statements(c.Then, then, io.in), false)
	if c.Else != nil {
		other := sc.sub()
		if len(c.Else.Cond) > 0 || c.Else.ThenPos.IsValid() {
			out = a.sequence(out, a.ifClause(c.Else, other, io), false)
		} else {
			out = a.sequence(out, a.statements(c.Else.Then, other, io.in), false)
		}
		sc.join(other)
	}
	sc.join(then)
	out.known = false
	return out
}

func (a *analyzer) caseClause(c *syntax.CaseClause, sc *scope, io streams) flow {
	word := a.fields(c.Word, sc)
	var out flow
	for _, item := range a.chosen(c, word, sc) {
		branch := sc.sub()
		out = a.sequence(out, a.statements(item.Stmts, branch, io.in), false)
		sc.join(branch)
	}
	return out
}

// maxTurns bounds how many items of a for loop are followed one by one.
const maxTurns = 64

func (a *analyzer) forClause(c *syntax.ForClause, sc *scope, io streams) flow {
	loop, ok := c.Loop.(*syntax.WordIter)
	if !ok {
		a.walkSubstitutions(c.Loop, sc)
		return a.turns(c.Do, sc, io.in)
	}
	var items []value
	for _, w := range loop.Items {
		items = append(items, a.fields(w, sc)...)
	}
	if !loop.InPos.IsValid() {
		items = sc.args
	}
	if len(items) == 0 || len(items) > maxTurns {
		items = []value{{text: "$" + loop.Name.Value, quality: quality{partial: true}}}
	}
	for _, item := range items {
		if item.partial || item.glob {
			return a.turnsOver(c, loop.Name.Value, items, sc, io)
		}
	}
	var out flow
	for _, item := range items {
		sc.set(loop.Name.Value, variable{values: []value{item}})
		out = a.sequence(out, a.statements(c.Do, sc, io.in), false)
		if a.full {
			break
		}
	}
	return out
}

// turnsOver follows a loop over items of which it is not known how many there are.
func (a *analyzer) turnsOver(c *syntax.ForClause, name string, items []value, sc *scope, io streams) flow {
	var out flow
	for i, item := range items {
		sc.set(name, variable{values: []value{item}})
		out = a.sequence(out, a.turns(c.Do, sc, io.in), i == 0)
		if a.full {
			break
		}
	}
	return out
}

func (a *analyzer) declare(c *syntax.FuncDecl, sc *scope) {
	if c.Name == nil {
		a.statement(c.Body, sc.sub(), nothing())
		return
	}
	body, rest := functionBody(c.Body)
	sc.own()
	sc.funcs[c.Name.Value] = body
	for _, y := range rest {
		a.statement(y, sc, unknown())
	}
}

// functionBody tells a function's body from what the parser takes for a part of it: in f() { …; } && g a shell
// declares f and then runs g.
func functionBody(s *syntax.Stmt) (*syntax.Stmt, []*syntax.Stmt) {
	var rest []*syntax.Stmt
	for {
		b, ok := s.Cmd.(*syntax.BinaryCmd)
		if !ok {
			slices.Reverse(rest)
			return s, rest
		}
		rest = append(rest, b.Y)
		s = b.X
	}
}

// walkSubstitutions runs the command substitutions inside tests and arithmetic.
func (a *analyzer) walkSubstitutions(n syntax.Node, sc *scope) {
	syntax.Walk(n, func(n syntax.Node) bool {
		switch x := n.(type) {
		case *syntax.CmdSubst:
			a.statements(x.Stmts, sc.sub(), nothing())
			return false
		case *syntax.ProcSubst:
			a.statements(x.Stmts, sc.sub(), nothing())
			return false
		case *syntax.BinaryArithm:
			forgetAssigned(x.X, assigns(x.Op), sc)
		case *syntax.UnaryArithm:
			forgetAssigned(x.X, x.Op == syntax.Inc || x.Op == syntax.Dec, sc)
		}
		return true
	})
}

// forgetAssigned makes the variable unknown that arithmetic changes.
func forgetAssigned(x syntax.ArithmExpr, changes bool, sc *scope) {
	word, ok := x.(*syntax.Word)
	if !changes || !ok || len(word.Parts) == 0 {
		return
	}
	switch p := word.Parts[0].(type) {
	case *syntax.Lit:
		sc.forget(p.Value)
	case *syntax.ParamExp:
		if p.Param != nil {
			sc.forget(p.Param.Value)
		}
	}
}

func assigns(op syntax.BinAritOperator) bool {
	switch op {
	case syntax.Assgn, syntax.AddAssgn, syntax.SubAssgn, syntax.MulAssgn, syntax.QuoAssgn, syntax.RemAssgn,
		syntax.AndAssgn, syntax.OrAssgn, syntax.XorAssgn, syntax.ShlAssgn, syntax.ShrAssgn:
		return true
	}
	return false
}
