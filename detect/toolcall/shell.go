package toolcall

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"guardrails/detect/effect"
)

// usualEffects is for how many effects there is room from the start, at most.
const usualEffects = 64

// bash analyses the command of the Bash tool.
func (a *analyzer) bash(command string) {
	a.source = command
	a.effects = slices.Grow(a.effects, min(4+len(command)/24, usualEffects))
	sc := &scope{cwd: a.env.Cwd}
	if hasHiddenRune(command) {
		a.opaque(a.span(0, len(command)), "contains an invisible or direction-changing character, so it may not be what it looks like", effect.HiddenExecution)
	}
	a.script(command, sc, nothing())
}

// exceeds reports whether a text of any language is more than is followed.
func (a *analyzer) exceeds(text string) bool {
	switch {
	case len(text) > MaxCommandSize:
		a.overflow("is larger than 128 KiB")
	case a.depth >= MaxDepth:
		a.overflow("has scripts inside scripts deeper than 24 levels")
	default:
		return false
	}
	return true
}

// follow analyses a whole shell text in a scope and returns what it prints.
func follow(a *analyzer, text string, sc *scope, stdin flow) flow {
	if a.full || a.exceeds(text) {
		return unknown()
	}
	a.depth++
	defer func() { a.depth-- }()
	if out, ok := a.scriptInParts(text, sc, stdin); ok {
		return out
	}
	return a.scriptAsItStands(text, sc, stdin)
}

// scriptInParts analyses a text of which large parts need no parsing; false when there are none.
func (a *analyzer) scriptInParts(text string, sc *scope, stdin flow) (flow, bool) {
	c := cutLiterals(text, a.cutFrom)
	if c == nil {
		return flow{}, false
	}
	list, ok := c.parse()
	if !ok {
		return flow{}, false
	}
	if a.within == nil {
		a.cut = c
		defer func() { a.cut = nil }()
	}
	return a.statements(list, sc, stdin), true
}

func newParser() *syntax.Parser { return syntax.NewParser(syntax.Variant(syntax.LangBash)) }

func (a *analyzer) scriptAsItStands(text string, sc *scope, stdin flow) flow {
	if nestsTooDeep(text) {
		a.overflow("nests brackets deeper than 150 levels")
		return unknown()
	}
	var out flow
	first := true
	// Statement by statement: what stands before a syntax error is run by a shell too.
	var failed error
	for stmt, err := range newParser().StmtsSeq(strings.NewReader(text)) {
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
		return unknown()
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

// statement analyses one statement and returns what it prints.
func (a *analyzer) statement(s *syntax.Stmt, sc *scope, stdin flow) flow {
	if a.full || s == nil {
		return unknown()
	}
	if a.nesting >= maxNesting {
		a.overflow("nests commands deeper than 150 levels")
		return unknown()
	}
	a.nesting++
	defer func() { a.nesting-- }()
	io := a.redirections(s.Redirs, sc, stdin)
	if s.Background {
		sc = sc.sub()
	}
	out := a.command(s.Cmd, sc, io)
	if io.socket {
		a.sentToSocket(out)
	}
	if io.diverted {
		a.store(io, out)
		return nothing()
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
			a.opaque(a.span(0, len(a.source)), "writes to "+path+" without end", effect.ResourceExhaust)
		}
		a.remember(path, out)
	}
}

// remember keeps what a file that the call writes will hold.
func (a *analyzer) remember(path string, content flow) {
	a.markWritten(path, content)
	if a.content == nil {
		a.content = map[string]flow{}
	}
	if len(a.content) < 64 {
		content.file = pathOfFlow(path)
		a.content[path] = content
	}
}

func (a *analyzer) command(cmd syntax.Command, sc *scope, io streams) flow {
	switch c := cmd.(type) {
	case nil:
		return nothing()
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
		return a.whileClause(c, sc, io)
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
	return nothing()
}

func (a *analyzer) statements(list []*syntax.Stmt, sc *scope, stdin flow) flow {
	out := nothing()
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
		return a.chain(c, sc, io)
	}
}
