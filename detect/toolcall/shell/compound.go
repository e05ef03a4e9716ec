package shell

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"guardrails/detect/effect"
	"guardrails/detect/toolcall/trace"
	"guardrails/detect/toolcall/words"
)

// markEndlessLoop marks an endless loop that starts a process in the background in every iteration.
func markEndlessLoop(t *trace.Trace, c *syntax.WhileClause) {
	if len(c.Cond) != 1 || !alwaysTrue(c.Cond[0], c.Until) {
		return
	}
	spawns, pauses := false, false
	syntax.Walk(c, func(n syntax.Node) bool {
		switch x := n.(type) {
		case *syntax.Stmt:
			spawns = spawns || x.Background
		case *syntax.CallExpr:
			pauses = pauses || len(x.Args) > 0 && slowsOrEndsLoop(x.Args[0].Lit())
		}
		return true
	})
	if spawns && !pauses {
		t.Opaque(spanOf(t, c.Pos(), c.End()), "starts processes endlessly", effect.ResourceExhaust)
	}
}

func alwaysTrue(s *syntax.Stmt, until bool) bool {
	call, ok := s.Cmd.(*syntax.CallExpr)
	if !ok || len(call.Args) == 0 {
		return false
	}
	switch call.Args[0].Lit() {
	case "true", ":":
		return !until
	case "false":
		return until
	}
	return false
}

func slowsOrEndsLoop(name string) bool {
	return name == words.Among(name, "sleep wait read break exit return inotifywait")
}

// matchingItems returns the items of a "case" statement that may run. In a script on disk, it omits the items that
// cannot match the word. Otherwise, every call of a script would look dangerous if a single item, such as "clean", is
// dangerous.
func matchingItems(t *trace.Trace, c *syntax.CaseClause, word []trace.Value, sc *trace.Scope) []*syntax.CaseItem {
	if t.Scripts.Current() == 0 || len(word) > 1 || len(word) == 1 && (word[0].Partial || word[0].Glob) {
		return c.Items
	}
	text := ""
	if len(word) == 1 {
		text = word[0].Text
	}
	var out []*syntax.CaseItem
	for _, item := range c.Items {
		matches, certain := matchItem(t, item, text, sc)
		if !matches {
			continue
		}
		out = append(out, item)
		if item.Op != syntax.Break {
			return c.Items
		}
		if certain {
			break
		}
	}
	return out
}

// matchItem reports whether a text may match an item of a "case" statement, and whether the text certainly matches.
func matchItem(t *trace.Trace, item *syntax.CaseItem, text string, sc *trace.Scope) (matches, certain bool) {
	for _, w := range item.Patterns {
		pattern := single(t, w, sc)
		switch {
		case pattern.Partial || strings.ContainsAny(pattern.Text, "?[(\\") ||
			strings.ContainsRune(strings.Trim(pattern.Text, "*"), '*'):
			matches = true
		case pattern.Text == text || pattern.Glob && matchesEnds(pattern.Text, text):
			return true, true
		}
	}
	return matches, false
}

// matchesEnds reports whether a text matches a pattern that has stars only at the start and at the end.
func matchesEnds(pattern, text string) bool {
	inner := strings.Trim(pattern, "*")
	anyStart, anyEnd := strings.HasPrefix(pattern, "*"), strings.HasSuffix(pattern, "*")
	switch {
	case anyStart && anyEnd:
		return strings.Contains(text, inner)
	case anyStart:
		return strings.HasSuffix(text, inner)
	}
	return strings.HasPrefix(text, inner)
}

// chain() analyzes a chain of commands such as "a && b && c". Each command sees the changes that the commands before it
// make. The shell may skip every command except the first. So the changes by the other commands are uncertain after the
// chain.
func chain(t *trace.Trace, c *syntax.BinaryCmd, sc *trace.Scope, io trace.Streams) trace.Flow {
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
	since, begin := t.Since, len(t.Effects)+1
	out := statement(t, first, sc, io.In)
	rest := sc.Sub()
	if since == 0 {
		t.Since = begin
	}
	for i := len(links) - 1; i >= 0; i-- {
		out = Sequence(out, statement(t, links[i], rest, io.In), false)
	}
	t.Since = since
	sc.Join(rest)
	return out
}

func whileClause(t *trace.Trace, c *syntax.WhileClause, sc *trace.Scope, io trace.Streams) trace.Flow {
	markEndlessLoop(t, c)
	lines, ok := linesRead(c, io.In)
	if !ok {
		if io.In.Known && strings.TrimSpace(io.In.Text) != "" && !isOneLine(io.In.Text) {
			io.In = trace.Flow{Taint: io.In.Taint}
		}
		out := statements(t, c.Cond, sc, io.In)
		return Sequence(out, repeated(t, c.Do, sc, io.In), false)
	}
	var out trace.Flow
	for i, line := range lines {
		io.In.Text = line
		out = Sequence(out, statements(t, c.Cond, sc, io.In), i == 0)
		out = Sequence(out, statements(t, c.Do, sc, io.In), false)
	}
	return out
}

// linesRead returns the lines that a loop such as "while read x" reads. It returns false if the lines are unknown.
func linesRead(c *syntax.WhileClause, in trace.Flow) ([]string, bool) {
	if c.Until || len(c.Cond) != 1 || !in.Known {
		return nil, false
	}
	call, ok := c.Cond[0].Cmd.(*syntax.CallExpr)
	if !ok || len(call.Args) < 2 || call.Args[0].Lit() != "read" {
		return nil, false
	}
	for i, word := range call.Args[1:] {
		flag := word.Lit()
		// For "read -d ''", each name in the input ends with a zero byte. A program such as find then prints zero bytes
		// instead of line ends, but the text that the analysis has may still consist of lines.
		endsAtZero := (flag == "-d" || flag == "-rd") && i+2 < len(call.Args) && isEmptyText(call.Args[i+2])
		if strings.HasPrefix(flag, "-") && flag != "-r" && !endsAtZero {
			return nil, false
		}
	}
	end := "\n"
	if strings.IndexByte(in.Text, 0) >= 0 {
		end = "\x00"
	}
	lines := strings.Split(strings.TrimRight(in.Text, end), end)
	return lines, len(lines) <= trace.MaxTurns && in.Text != ""
}

// isEmptyText reports whether a word is a pair of quotes with nothing between them, or with only \0 (a zero byte)
// between them.
func isEmptyText(w *syntax.Word) bool {
	if len(w.Parts) != 1 {
		return false
	}
	switch p := w.Parts[0].(type) {
	case *syntax.SglQuoted:
		return p.Value == "" || p.Value == `\0`
	case *syntax.DblQuoted:
		return len(p.Parts) == 0
	}
	return false
}

// repeated() analyzes the body of a loop that may run any number of times. If the first iteration changes variables or
// the working folder, the function also analyzes a second iteration. In the second iteration, these changes are
// uncertain.
func repeated(t *trace.Trace, body []*syntax.Stmt, sc *trace.Scope, in trace.Flow) trace.Flow {
	branch := sc.Sub()
	out := statements(t, body, branch, in)
	changed := differs(sc, branch)
	sc.Join(branch)
	if changed && t.Depth+t.Nesting < maxRepeats {
		again := sc.Sub()
		out = Sequence(out, statements(t, body, again, in), false)
		sc.Join(again)
	}
	out.Known = false
	return out
}

// maxRepeats is a depth of nesting. At this depth and at greater depths, the body of a loop is analyzed only once.
const maxRepeats = 16

// differs() reports whether the variables or the working folder of a branch differ from those of the scope s.
func differs(s *trace.Scope, branch *trace.Scope) bool {
	changed := false
	s.Vars.Changes(branch.Vars, func(name string, old trace.Variable) {
		changed = changed || !trace.SameValues(old, branch.Vars.Get(name))
	})
	branch.Vars.Changes(s.Vars, func(name string, set trace.Variable) {
		changed = changed || !trace.SameValues(s.Vars.Get(name), set)
	})
	return changed || s.Cwd != branch.Cwd || s.CwdUnknown != branch.CwdUnknown
}

func ifClause(t *trace.Trace, c *syntax.IfClause, sc *trace.Scope, io trace.Streams) trace.Flow {
	begin := len(t.Effects)
	out := statements(t, c.Cond, sc, io.In)
	t.Hide(begin, effect.StatusHidden)
	then := sc.Sub()
	out = Sequence(out, statements(t, c.Then, then, io.In), false)
	if c.Else != nil {
		other := sc.Sub()
		if len(c.Else.Cond) > 0 || c.Else.ThenPos.IsValid() {
			out = Sequence(out, ifClause(t, c.Else, other, io), false)
		} else {
			out = Sequence(out, statements(t, c.Else.Then, other, io.In), false)
		}
		sc.Join(other)
	}
	sc.Join(then)
	out.Known = false
	return out
}

func caseClause(t *trace.Trace, c *syntax.CaseClause, sc *trace.Scope, io trace.Streams) trace.Flow {
	word := fields(t, c.Word, sc)
	var out trace.Flow
	for _, item := range c.Items {
		for _, pattern := range item.Patterns {
			walkSubstitutions(t, pattern, sc)
		}
	}
	for _, item := range matchingItems(t, c, word, sc) {
		branch := sc.Sub()
		out = Sequence(out, statements(t, item.Stmts, branch, io.In), false)
		sc.Join(branch)
	}
	return out
}

func forClause(t *trace.Trace, c *syntax.ForClause, sc *trace.Scope, io trace.Streams) trace.Flow {
	loop, ok := c.Loop.(*syntax.WordIter)
	if !ok {
		walkSubstitutions(t, c.Loop, sc)
		return repeated(t, c.Do, sc, io.In)
	}
	var items []trace.Value
	for _, w := range loop.Items {
		items = append(items, fields(t, w, sc)...)
	}
	if !loop.InPos.IsValid() {
		items = sc.Args
	}
	if len(items) == 0 || len(items) > trace.MaxTurns {
		items = []trace.Value{{Text: "$" + loop.Name.Value, Quality: trace.Quality{Partial: true}}}
	}
	for _, item := range items {
		if item.Partial || item.Glob {
			return forUncertain(t, c, loop.Name.Value, items, sc, io)
		}
	}
	var out trace.Flow
	for i := range items {
		t.SetVariable(loop.Name.Value, items[i:], sc, spanOf(t, loop.Pos(), loop.End()))
		out = Sequence(out, statements(t, c.Do, sc, io.In), i == 0)
		if t.Full {
			break
		}
	}
	return out
}

// forUncertain analyzes a loop over a list with unknown items.
func forUncertain(
	t *trace.Trace, c *syntax.ForClause, name string, items []trace.Value, sc *trace.Scope, io trace.Streams,
) trace.Flow {
	var out trace.Flow
	for i := range items {
		t.SetVariable(name, items[i:], sc, spanOf(t, c.Loop.Pos(), c.Loop.End()))
		out = Sequence(out, repeated(t, c.Do, sc, io.In), i == 0)
		if t.Full {
			break
		}
	}
	return out
}

func declareFunction(t *trace.Trace, c *syntax.FuncDecl, sc *trace.Scope) {
	if c.Name == nil {
		statement(t, c.Body, sc.Sub(), trace.Nothing())
		return
	}
	body, rest := functionBody(c.Body)
	sc.Funcs.Set(c.Name.Value, body)
	if c.Name.Value == notFound+"r" { // the name of this function in zsh
		sc.Funcs.Set(notFound, body)
	}
	if t.Zsh && (words.OneOf(c.Name.Value, "zshexit chpwd") || strings.HasPrefix(c.Name.Value, "TRAP")) {
		statement(t, body, sc.Sub(), trace.Nothing()) // zsh calls this function itself
	}
	for _, y := range rest {
		statement(t, y, sc, trace.Unknown())
	}
}

// functionBody separates the body of a function from the commands after the function. In "f() { …; } && g", the parser
// treats everything after "f()" as the body. A shell, however, declares f and then runs g.
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

// evaluate() analyzes a text that a shell evaluates within a word.
func evaluate(t *trace.Trace, text string, sc *trace.Scope, n syntax.Node) {
	t.Inside(spanOf(t, n.Pos(), n.End()), func() trace.Flow { return t.Shell(text, sc.Sub(), trace.Nothing()) })
}

// evaluateValue analyzes the substitutions in the value of a variable, if the value is known.
func evaluateValue(t *trace.Trace, name string, sc *trace.Scope, n syntax.Node) {
	v := sc.Vars.Get(name).Scalar()
	if !v.Partial && (strings.Contains(v.Text, "$(") || strings.Contains(v.Text, "`")) {
		evaluate(t, ": <<E\n"+v.Text+"\nE", sc, n) // in a here-document, quotes are part of the text
	}
}

// walkSubstitutions analyzes the command substitutions in a test or an arithmetic expression. A shell also evaluates
// the value of each variable in an arithmetic expression, and runs the substitutions in this value. An example is
// x='a[$(CMD)]'; echo $((x)).
func walkSubstitutions(t *trace.Trace, root syntax.Node, sc *trace.Scope) {
	calculates := false
	switch root.(type) {
	case *syntax.ArithmExp, *syntax.ArithmCmd, *syntax.LetClause, *syntax.ParamExp:
		calculates = true
	}
	syntax.Walk(root, func(n syntax.Node) bool {
		switch x := n.(type) {
		case *syntax.CmdSubst:
			subshell(t, x.Stmts, sc, trace.Nothing())
			return false
		case *syntax.ProcSubst:
			subshell(t, x.Stmts, sc, trace.Nothing())
			return false
		case *syntax.BinaryTest:
			calculates = x.Op >= syntax.TsEql && x.Op <= syntax.TsGtr // operators that compare numbers, such as -eq
		case *syntax.Word:
			if calculates {
				evaluateValue(t, x.Lit(), sc, n)
			}
		case *syntax.ParamExp:
			if x.Param != nil && calculates && n != root {
				evaluateValue(t, x.Param.Value, sc, n)
			}
		case *syntax.BinaryArithm:
			forgetAssigned(x.X, assigns(x.Op), sc)
		case *syntax.UnaryArithm:
			forgetAssigned(x.X, x.Op == syntax.Inc || x.Op == syntax.Dec, sc)
		}
		return true
	})
}

// forgetAssigned makes the variable in an arithmetic expression unknown if the expression changes it.
func forgetAssigned(x syntax.ArithmExpr, changes bool, sc *trace.Scope) {
	word, ok := x.(*syntax.Word)
	if !changes || !ok || len(word.Parts) == 0 {
		return
	}
	switch p := word.Parts[0].(type) {
	case *syntax.Lit:
		sc.Forget(p.Value)
	case *syntax.ParamExp:
		if p.Param != nil {
			sc.Forget(p.Param.Value)
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
