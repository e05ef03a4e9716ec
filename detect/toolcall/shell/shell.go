// Package shell analyzes shell scripts: statements, words, expansions, redirections, functions and builtins. Start with
// Bash and Follow.
package shell

import (
	"errors"
	"slices"
	"strings"
	"unicode/utf8"

	"mvdan.cc/sh/v3/syntax"

	"guardrails/detect/effect"
	"guardrails/detect/toolcall/literal"
	"guardrails/detect/toolcall/trace"
	"guardrails/detect/toolcall/words"
)

func spanOf(t *trace.Trace, from, to syntax.Pos) effect.Span {
	return t.Span(t.Cut.Offset(int(from.Offset())), t.Cut.Offset(int(to.Offset())))
}

// usualEffects is the maximum number of effects for which Bash reserves memory at the start.
const usualEffects = 64

// Bash analyzes the command of a call of the Bash tool.
func Bash(t *trace.Trace, command string) {
	t.Source = command
	t.Effects = slices.Grow(t.Effects, min(4+len(command)/24, usualEffects))
	sc := &trace.Scope{Cwd: t.Env.Cwd}
	if HasHiddenRune(command) {
		t.Opaque(t.Span(0, len(command)),
			"contains an invisible or direction-changing character, so it may not be what it looks like", effect.HiddenExecution)
	}
	out := t.Shell(command, sc, trace.Nothing())
	if t.Sourced > 0 && out.Taint.Has(trace.FromSetting|trace.FromEnviron) {
		t.Effects[t.Sourced-1].Note("sets variables that hold secrets, and the command prints them", effect.SecretAccess)
	}
}

// ExceedsLimits reports whether a text in any language is too large to be analyzed, or is nested too deeply. In these
// cases, it also adds an effect that gives the reason.
func ExceedsLimits(t *trace.Trace, text string) bool {
	switch {
	case len(text) > trace.MaxCommandSize:
		t.Overflow("is larger than 128 KiB")
	case t.Depth >= trace.MaxDepth:
		t.Overflow("nests scripts deeper than 24 levels")
	default:
		return false
	}
	return true
}

// Follow analyzes a whole shell script and returns its output.
func Follow(t *trace.Trace, text string, sc *trace.Scope, stdin trace.Flow) trace.Flow {
	if t.Full || ExceedsLimits(t, text) {
		return trace.Unknown()
	}
	t.Spend(len(text) / 4)
	t.Depth++
	defer func() { t.Depth-- }()
	t.Zsh = t.Zsh || isForZsh(t)
	text = strings.TrimPrefix(text, "\ufeff")
	if strings.Contains(text, ">!") || strings.Contains(text, ">&!") {
		text = forceOfZsh(text)
	}
	text, complete := endComments(text)
	if !complete {
		t.Opaque(t.Span(0, len(text)), "contains comments that end with a backslash, so it may not be what it looks like",
			effect.HiddenExecution)
	}
	outer := sc.Traps
	sc.Traps = nil
	out, ok := followShortened(t, text, sc, stdin)
	if !ok {
		out = followWhole(t, text, sc, stdin)
	}
	runTraps(t, sc)
	sc.Traps = outer
	return out
}

// runTraps analyzes the commands that a shell runs when it ends.
func runTraps(t *trace.Trace, sc *trace.Scope) {
	for _, trap := range sc.Traps {
		trap.Command.Scope = sc
		t.RunText(trap.Command, trap.Text)
	}
}

// subshell() analyzes commands in a subshell.
func subshell(t *trace.Trace, list []*syntax.Stmt, sc *trace.Scope, in trace.Flow) trace.Flow {
	inner := sc.Sub()
	inner.Traps = nil
	out := statements(t, list, inner, in)
	runTraps(t, inner)
	return out
}

// forceOfZsh replaces zsh's redirections >!, >>!, &>!, &>>! and >&! with equivalent operators of the same length, so all offsets remain
// valid. forceOfZsh also replaces them in scripts of other shells. In other shells, >! writes to a file named "!", but
// nobody wants such a file.
func forceOfZsh(text string) string {
	text = words.Replace(text, "&>>!", "&>> ", "&>!", "&> ", ">&!", ">& ")
	return words.Replace(text, " >>! ", " >>  ", " >! ", " >| ", " >!", " >|")
}

// followShortened cuts long literal texts out of a script, so that the parser does not read them, and then analyzes the
// script. It returns false if there are no such texts, or if they cannot be put back into the syntax tree.
func followShortened(t *trace.Trace, text string, sc *trace.Scope, stdin trace.Flow) (trace.Flow, bool) {
	c := literal.CutLiterals(text, t.CutFrom)
	if c == nil {
		return trace.Flow{}, false
	}
	t.Spend(len(c.Short) * trace.StepsOfByte)
	list, ok := c.Parse()
	if !ok {
		return trace.Flow{}, false
	}
	if t.Within == nil {
		t.Cut = c
		defer func() { t.Cut = nil }()
	}
	return statements(t, list, sc, stdin), true
}

func followWhole(t *trace.Trace, text string, sc *trace.Scope, stdin trace.Flow) trace.Flow {
	if literal.NestsTooDeep(text) {
		t.Overflow("nests brackets deeper than 150 levels")
		return trace.Unknown()
	}
	t.Spend(len(text) * trace.StepsOfByte)
	var out trace.Flow
	begin, end := len(t.Effects), uint(0)
	// A shell runs the statements before a syntax error, so they are analyzed one by one.
	read := func(language syntax.LangVariant) (failed error) {
		for stmt, err := range literal.NewParser(language).StmtsSeq(strings.NewReader(text)) {
			// The parser can report the same error twice, so the loop must not end at the first report.
			switch {
			case failed != nil, t.Full:
			case err != nil:
				failed = err
			case end == 0 || stmt.Pos().Offset() >= end:
				t.Hide(begin, effect.StatusHidden)
				begin = len(t.Effects)
				out = Sequence(out, statement(t, stmt, sc, stdin), end == 0)
				end = stmt.End().Offset()
			}
		}
		return failed
	}
	failed := read(syntax.LangBash)
	if failed != nil && t.Zsh {
		failed = read(syntax.LangZsh) // zsh reads the rest of a text that is not valid in Bash
	}
	if failed != nil {
		// If the end mark of a here-document is missing, the document goes up to the end of the text.
		if _, mark, ok := strings.Cut(failed.Error(), "unclosed here-document `"); ok && t.Spend(len(text)*trace.StepsOfByte) {
			text += "\n" + strings.TrimSuffix(mark, "`")
			failed = read(syntax.LangBash)
		}
	}
	if failed != nil {
		badSyntax(t, text, failed)
		return trace.Unknown()
	}
	return out
}

// isForZsh reports whether the text under analysis is the command of a call, and the user's shell is zsh.
func isForZsh(t *trace.Trace) bool {
	return t.Depth == 1 && t.Env.Variable != nil && strings.HasSuffix(t.Env.Variable("SHELL"), "/zsh")
}

// Sequence joins the outputs of two commands that run one after the other. The parameters "before" and "after" are
// these outputs. If the parameter "first" is set, there is no earlier output, and Sequence returns "after" unchanged.
func Sequence(before, after trace.Flow, first bool) trace.Flow {
	if first {
		return after
	}
	out := trace.Flow{Taint: before.Taint | after.Taint, File: after.File}
	if before.Known && after.Known && len(before.Text)+len(after.Text) < maxKnown {
		out.Text, out.Known = before.Text+after.Text, true
	}
	return out
}

// maxKnown is the maximum number of bytes of output that are kept. A command that prints a hidden script usually prints
// fewer bytes.
const maxKnown = 8 << 10

func statement(t *trace.Trace, s *syntax.Stmt, sc *trace.Scope, stdin trace.Flow) trace.Flow {
	if s == nil || !t.Spend(trace.StepsOfStatement) {
		return trace.Unknown()
	}
	if t.Nesting >= literal.MaxNesting {
		t.Overflow("nests commands deeper than 150 levels")
		return trace.Unknown()
	}
	t.Nesting++
	defer func() { t.Nesting-- }()
	if name, choices := choicesIn(t, s, sc); choices != nil {
		return forEachChoice(t, s, name, choices, sc, stdin)
	}
	begin := len(t.Effects)
	io := redirections(t, s.Redirs, sc, stdin)
	if len(s.Redirs) == 1 && s.Redirs[0].Op == syntax.RdrIn && len(t.Effects) > begin && len(t.Effects[begin].Events) > 0 {
		forgiveReads(t, []trace.Value{{Text: "cat"}}, plainWords(s, 1), sc, begin)
	}
	if s.Background {
		sc = sc.Sub()
		sc.Traps = nil
		defer runTraps(t, sc)
	}
	begin = len(t.Effects)
	out := command(t, s.Cmd, sc, io)
	if s.Cmd == nil && len(s.Redirs) == 1 && s.Redirs[0].Op == syntax.RdrIn {
		return io.In // as in $(<file)
	}
	if s.Background || s.Negated {
		t.Hide(begin, effect.StatusIgnored)
	}
	if io.Socket {
		markSecretSent(t, out)
	}
	if io.Diverted {
		recordWritten(t, io, out)
		removeEmptied(t, out, sc, io)
		return trace.Nothing()
	}
	return out
}

// recordWritten remembers the content that a statement writes to files by redirecting its output.
func recordWritten(t *trace.Trace, io trace.Streams, out trace.Flow) {
	for i := range io.Files {
		path := io.Files[i].Path
		if out.Taint.Has(trace.Endless) {
			t.Opaque(t.Span(0, len(t.Source)), "writes to "+path+" endlessly", effect.ResourceExhaust)
		}
		if io.Appends {
			t.Append(path, out)
		} else {
			t.Remember(path, out)
		}
	}
}

// removeEmptied is for a command that prints nothing. If the output of such a command is redirected to a file, the
// redirection empties the file. If the file has important content, removeEmptied adds the effect of deleting it. Examples
// are "> app.db" and "cat /dev/null > app.db".
func removeEmptied(t *trace.Trace, out trace.Flow, sc *trace.Scope, io trace.Streams) {
	if !out.Known || out.Text != "" {
		return
	}
	for i := range io.Files {
		if !io.Appends {
			t.NoteEmptied(io.Files[i].Value, sc, t.Effects[len(t.Effects)-1].Span)
		}
	}
}

func command(t *trace.Trace, cmd syntax.Command, sc *trace.Scope, io trace.Streams) trace.Flow {
	switch c := cmd.(type) {
	case nil:
		if io.In.From() != "" {
			return io.In // as in $(<file)
		}
		return trace.Nothing()
	case *syntax.CallExpr:
		return call(t, c, sc, io)
	case *syntax.BinaryCmd:
		return binary(t, c, sc, io)
	case *syntax.Subshell:
		return subshell(t, c.Stmts, sc, io.In)
	case *syntax.Block:
		return statements(t, c.Stmts, sc, io.In)
	case *syntax.IfClause:
		return ifClause(t, c, sc, io)
	case *syntax.WhileClause:
		return whileClause(t, c, sc, io)
	case *syntax.ForClause:
		return forClause(t, c, sc, io)
	case *syntax.CaseClause:
		return caseClause(t, c, sc, io)
	case *syntax.FuncDecl:
		declareFunction(t, c, sc)
	case *syntax.TestClause:
		walkSubstitutions(t, c, sc)
	case *syntax.ArithmCmd:
		walkSubstitutions(t, c, sc)
	case *syntax.LetClause:
		walkSubstitutions(t, c, sc)
	case *syntax.DeclClause:
		return declClause(t, c, sc)
	case *syntax.TimeClause:
		return statement(t, c.Stmt, sc, io.In)
	case *syntax.CoprocClause:
		// The script writes to the input of this process later, so the input is unknown.
		subshell(t, []*syntax.Stmt{c.Stmt}, sc, trace.Flow{Taint: trace.FromProgram})
	case *syntax.TestDecl:
		subshell(t, []*syntax.Stmt{c.Body}, sc, io.In)
	}
	return trace.Nothing()
}

func statements(t *trace.Trace, list []*syntax.Stmt, sc *trace.Scope, stdin trace.Flow) trace.Flow {
	out := trace.Nothing()
	begin := len(t.Effects)
	for i, s := range list {
		t.Hide(begin, effect.StatusHidden)
		begin = len(t.Effects)
		out = Sequence(out, statement(t, s, sc, stdin), i == 0)
	}
	return out
}

func binary(t *trace.Trace, c *syntax.BinaryCmd, sc *trace.Scope, io trace.Streams) trace.Flow {
	switch c.Op {
	case syntax.Pipe, syntax.PipeAll:
		begin := len(t.Effects)
		out := subshell(t, []*syntax.Stmt{c.X}, sc, io.In)
		t.Hide(begin, effect.StatusHidden)
		forgiveReads(t, plainWords(c.X, 0), plainWords(c.Y, 0), sc, begin)
		return subshell(t, []*syntax.Stmt{c.Y}, sc, out)
	case syntax.OrStmt:
		begin := len(t.Effects)
		left := statement(t, c.X, sc, io.In)
		if !endsInFailure(c.Y) {
			t.Hide(begin, effect.StatusIgnored)
		}
		other := sc.Sub()
		right := statement(t, c.Y, other, io.In)
		sc.Join(other)
		known := left.Known && left.Text != ""
		return trace.Flow{Text: left.Text, Known: known, Taint: left.Taint | right.Taint, File: left.File}
	default:
		return chain(t, c, sc, io)
	}
}

// endsInFailure reports whether the statement after "||" always fails, as "exit 1" does.
func endsInFailure(s *syntax.Stmt) bool {
	switch c := s.Cmd.(type) {
	case *syntax.Block:
		return len(c.Stmts) > 0 && endsInFailure(c.Stmts[len(c.Stmts)-1])
	case *syntax.Subshell:
		return len(c.Stmts) > 0 && endsInFailure(c.Stmts[len(c.Stmts)-1])
	case *syntax.CallExpr:
		if len(c.Args) == 0 {
			return false
		}
		switch c.Args[0].Lit() {
		case "false":
			return true
		case "exit", "return":
			return len(c.Args) == 1 || c.Args[1].Lit() != "0"
		}
	}
	return false
}

// HasHiddenRune reports whether a text contains an invisible character, or a character that changes the direction of
// the text. All these characters except NUL begin with the same byte, and few texts contain this byte.
func HasHiddenRune(s string) bool {
	const first = '\xe2'
	if strings.IndexByte(s, 0) >= 0 {
		return true
	}
	for {
		next := strings.IndexByte(s, first)
		if next < 0 {
			return false
		}
		s = s[next:]
		r, size := utf8.DecodeRuneInString(s)
		if r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069 || r == 0x200b || r == 0x2060 {
			return true
		}
		s = s[size:]
	}
}

// badSyntax adds an effect for a text that is not valid shell syntax. Such a text is often harmless prose or an
// incomplete command. But the user's shell may understand the text differently from the parser.
func badSyntax(t *trace.Trace, text string, err error) {
	offset, message := 0, err.Error()
	if bad, found := errors.AsType[syntax.ParseError](err); found {
		offset, message = int(bad.Pos.Offset()), bad.Text
	}
	t.Opaque(t.Span(offset, len(text)), trace.BadSyntax+": "+message, effect.OpaqueExecution)
}
