package tooluse

import (
	"errors"
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// bash analyses the command of the Bash tool.
func (a *analyzer) bash(command string) {
	a.source = command
	a.effects = slices.Grow(a.effects, min(4+len(command)/24, MaxEffects))
	sc := &scope{cwd: a.env.Cwd}
	if hasHiddenRune(command) {
		a.opaque(a.span(0, len(command)), "contains an invisible or direction-changing character, so it may not be what it looks like", HiddenExecution)
	}
	a.script(command, sc, nothing)
}

// hasHiddenRune reports whether a text has a character that changes how it looks without being seen.
func hasHiddenRune(s string) bool {
	for _, r := range s {
		switch {
		case r >= 0x202a && r <= 0x202e, r >= 0x2066 && r <= 0x2069, r == 0x200b, r == 0x2060, r == 0:
			return true
		}
	}
	return false
}

// script analyses a whole shell text in a scope and returns what it prints.
func (a *analyzer) script(text string, sc *scope, stdin flow) flow {
	switch {
	case a.full:
		return unknown
	case len(text) > MaxCommandSize:
		a.overflow("is larger than 128 KiB")
		return unknown
	case a.depth >= MaxDepth:
		a.overflow("has scripts inside scripts deeper than 24 levels")
		return unknown
	case nestsTooDeep(text):
		a.overflow("nests brackets deeper than 150 levels")
		return unknown
	}
	a.depth++
	defer func() { a.depth-- }()
	parser := syntax.NewParser(syntax.Variant(syntax.LangBash))
	var out flow
	first := true
	// Statement by statement: what stands before a syntax error is run by a shell too.
	var failed error
	for stmt, err := range parser.StmtsSeq(strings.NewReader(text)) {
		// The parser may report an error twice, so the loop must not end at the first one.
		switch {
		case failed != nil:
		case err != nil:
			failed = err
		default:
			out = a.sequence(out, a.statement(stmt, sc, stdin), first)
			first = false
		}
	}
	if failed != nil {
		a.badSyntax(text, failed)
		return unknown
	}
	return out
}

// sequence is what two commands print one after the other.
func (a *analyzer) sequence(before, after flow, first bool) flow {
	if first {
		return after
	}
	out := flow{taint: before.taint | after.taint, file: after.file}
	if before.known && after.known && len(before.text)+len(after.text) < maxKnown {
		out.text, out.known = before.text+after.text, true
	}
	return out
}

// maxKnown is how much of what commands print is kept: enough for any hidden script, and no more.
const maxKnown = 8 << 10

// badSyntax notes a text that does not parse. A remark in prose or a cut-off command is harmless, but it is not known
// what the user's own shell makes of it.
func (a *analyzer) badSyntax(text string, err error) {
	offset, message := 0, err.Error()
	var bad syntax.ParseError
	if errors.As(err, &bad) {
		offset, message = int(bad.Pos.Offset()), bad.Text
	}
	a.opaque(a.span(offset, len(text)), "is not valid shell syntax: "+message, OpaqueExecution)
}

// maxConditions is how many ifs one text may have; the parser goes down a level for each that is not closed.
const maxConditions = 4000

// nestsTooDeep finds hostile nesting before the parser, which recurses, gets to see it. It counts more than it needs
// to, in quotes and comments too, which no real command makes matter.
func nestsTooDeep(text string) bool {
	var round, curly, square, ticks, ifs int
	for i := range len(text) {
		switch text[i] {
		case '(':
			round++
		case ')':
			round = max(round-1, 0)
		case '{':
			curly++
		case '}':
			curly = max(curly-1, 0)
		case '[':
			square++
		case ']':
			square = max(square-1, 0)
		case '\\':
			if i+1 < len(text) && text[i+1] == '`' {
				ticks++
			}
		}
		if text[i] == 'f' && i > 0 && text[i-1] == 'i' && i+1 < len(text) && (text[i+1] == ' ' || text[i+1] == '\n') {
			ifs++
		}
		if ifs > maxConditions || round > maxNesting || curly > maxNesting || square > 4*maxNesting || ticks > 4*maxNesting {
			return true
		}
	}
	return false
}

// statement analyses one statement and returns what it prints.
func (a *analyzer) statement(s *syntax.Stmt, sc *scope, stdin flow) flow {
	if a.full || s == nil {
		return unknown
	}
	if a.nesting >= maxNesting {
		a.overflow("nests commands deeper than 150 levels")
		return unknown
	}
	a.nesting++
	defer func() { a.nesting-- }()
	io := a.redirections(s.Redirs, sc, stdin)
	if s.Background {
		sc = sc.sub()
	}
	out := a.command(s.Cmd, s, sc, io)
	if io.socket {
		a.sentToSocket(out)
	}
	if io.diverted {
		a.store(io, out)
		return nothing
	}
	return out
}

// streams are what a command reads and where its output goes.
type streams struct {
	in flow
	// files are the paths that standard output is written to; diverted is set when it does not reach the pipe.
	files    []string
	diverted bool
	// socket is set when a redirection connects to the network.
	socket bool
}

func (a *analyzer) store(io streams, out flow) {
	for _, path := range io.files {
		if out.taint.has(endless) {
			a.opaque(a.span(0, len(a.source)), "writes to "+path+" without end", ResourceExhaust)
		}
		a.remember(path, out)
	}
}

// remember keeps what a file that the call writes will hold.
func (a *analyzer) remember(path string, content flow) {
	if a.content == nil {
		a.content = map[string]flow{}
	}
	if len(a.content) < 64 {
		content.file = path
		a.content[path] = content
	}
}

func (a *analyzer) command(cmd syntax.Command, s *syntax.Stmt, sc *scope, io streams) flow {
	switch c := cmd.(type) {
	case nil:
		return nothing
	case *syntax.CallExpr:
		return a.call(c, sc, io)
	case *syntax.BinaryCmd:
		return a.binary(c, sc, io)
	case *syntax.Subshell:
		return a.statements(c.Stmts, sc.sub(), io.in)
	case *syntax.Block:
		return a.statements(c.Stmts, sc, io.in)
	case *syntax.IfClause:
		return a.ifClause(c, sc, io)
	case *syntax.WhileClause:
		a.endlessLoop(c)
		out := a.statements(c.Cond, sc, io.in)
		return a.sequence(out, a.statements(c.Do, sc, io.in), false)
	case *syntax.ForClause:
		return a.forClause(c, sc, io)
	case *syntax.CaseClause:
		return a.caseClause(c, sc, io)
	case *syntax.FuncDecl:
		a.declare(c, sc)
	case *syntax.TestClause:
		a.walkSubstitutions(c, sc)
	case *syntax.ArithmCmd:
		a.walkSubstitutions(c, sc)
	case *syntax.LetClause:
		a.walkSubstitutions(c, sc)
	case *syntax.DeclClause:
		return a.declClause(c, sc)
	case *syntax.TimeClause:
		return a.statement(c.Stmt, sc, io.in)
	case *syntax.CoprocClause:
		a.statement(c.Stmt, sc.sub(), io.in)
	case *syntax.TestDecl:
		a.statement(c.Body, sc.sub(), io.in)
	}
	return nothing
}

func (a *analyzer) statements(list []*syntax.Stmt, sc *scope, stdin flow) flow {
	out := nothing
	for i, s := range list {
		out = a.sequence(out, a.statement(s, sc, stdin), i == 0)
	}
	return out
}

func (a *analyzer) binary(c *syntax.BinaryCmd, sc *scope, io streams) flow {
	switch c.Op {
	case syntax.Pipe, syntax.PipeAll:
		out := a.statement(c.X, sc.sub(), io.in)
		return a.statement(c.Y, sc.sub(), out)
	case syntax.OrStmt:
		left := a.statement(c.X, sc, io.in)
		other := sc.sub()
		right := a.statement(c.Y, other, io.in)
		sc.join(other)
		return flow{text: left.text, known: left.known && left.text != "", taint: left.taint | right.taint, file: left.file}
	default:
		left := a.statement(c.X, sc, io.in)
		return a.sequence(left, a.statement(c.Y, sc, io.in), false)
	}
}

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
	a.fields(c.Word, sc)
	var out flow
	for _, item := range c.Items {
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
		return a.statements(c.Do, sc, io.in)
	}
	var items []value
	for _, w := range loop.Items {
		items = append(items, a.fields(w, sc)...)
	}
	if !loop.InPos.IsValid() {
		items = sc.args
	}
	if len(items) == 0 || len(items) > maxTurns {
		items = []value{{text: "$" + loop.Name.Value, partial: true}}
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

func (a *analyzer) declare(c *syntax.FuncDecl, sc *scope) {
	if c.Name == nil {
		a.statement(c.Body, sc.sub(), nothing)
		return
	}
	body, rest := functionBody(c.Body)
	sc.own()
	sc.funcs[c.Name.Value] = body
	for _, y := range rest {
		a.statement(y, sc, unknown)
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
			a.statements(x.Stmts, sc.sub(), nothing)
			return false
		case *syntax.ProcSubst:
			a.statements(x.Stmts, sc.sub(), nothing)
			return false
		}
		return true
	})
}

// assign follows an assignment; a naked one (export X) changes nothing.
func (a *analyzer) assign(as *syntax.Assign, sc *scope) {
	if as.Index != nil {
		a.walkSubstitutions(as.Index, sc)
	}
	if as.Naked || as.Name == nil {
		if as.Value != nil {
			a.fields(as.Value, sc)
		}
		return
	}
	name := as.Name.Value
	a.sensitiveAssignment(name, as, sc)
	switch {
	case as.Array != nil:
		var values []value
		for _, e := range as.Array.Elems {
			if e.Value != nil {
				values = append(values, a.fields(e.Value, sc)...)
			}
		}
		if as.Append {
			values = append(append([]value{}, sc.vars[name].values...), values...)
		}
		sc.set(name, variable{values: values, array: true})
	case as.Value != nil && as.Index == nil:
		v := a.single(as.Value, sc)
		if as.Append {
			v = concat(sc.vars[name].scalar(), v)
		}
		sc.set(name, variable{values: []value{v}})
	case as.Index == nil:
		sc.set(name, variable{values: []value{{}}})
	default:
		v := a.single(as.Value, sc)
		old := sc.vars[name]
		sc.set(name, variable{values: append(append([]value{}, old.values...), v), array: true})
	}
}

func (v variable) scalar() value {
	if len(v.values) == 0 {
		return value{}
	}
	return v.values[0]
}

func concat(x, y value) value {
	if len(x.text)+len(y.text) > maxWord {
		return value{text: x.text, partial: true, taint: x.taint | y.taint}
	}
	return value{text: x.text + y.text, partial: x.partial || y.partial, glob: x.glob || y.glob, taint: x.taint | y.taint}
}
