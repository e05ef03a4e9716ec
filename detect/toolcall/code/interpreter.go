// Package code evaluates the source code that a command runs: Python, JavaScript, Perl, Ruby, PHP, awk and others.
//
// Start reading at Run. The package "lexer" splits the code into tokens. The parser evaluates the expressions. The
// package "value" represents their values, as far as they are known. The package "library" lists what each function of
// a language does, such as running a command or writing a file. The package "system" adds the effects of calls.
package code

// interpreter.go has the state and the limits of an analysis of source code.

import (
	"strings"

	"guardrails/detect/effect"
	"guardrails/detect/toolcall/code/lexer"
	"guardrails/detect/toolcall/code/system"
	"guardrails/detect/toolcall/code/value"
	"guardrails/detect/toolcall/self"
	"guardrails/detect/toolcall/trace"
	"guardrails/detect/toolcall/words"
)

const (
	maxCodeDepth   = 100       // levels of nested brackets and expressions
	maxCodeNesting = 8         // levels of nested code in strings and eval
	maxCodeWork    = 640 << 10 // bytes of code, plus steps, plus an eighth of the bytes of concatenated texts
	maxNameLength  = 256
	stepsOfWork    = 4
	stepsOfToken   = 24
	stepsOfFile    = 2000 // steps for the search for a file
)

// interpreter evaluates source code. It computes the values of literals and names as far as possible. It adds the
// effects of the functions that the code calls.
type interpreter struct {
	system.System
	vars map[string]value.Value
	// starImports lists the modules from which the code imports all names, as in "from m import *".
	starImports []string
	// The field "partial" is set if the source code contains an unknown shell variable or substitution.
	partial bool
	depth   int // current level of nested brackets and expressions
	nesting int // current level of nested code in strings and eval
	calls   int // current level of nested calls of the code's own functions
	// The field "functions" holds all functions that the code defines. The field "defined" is a map from names to
	// the functions that have these names. Functions without a name are not in this map.
	functions []*value.Function
	defined   map[string]*value.Function
	// The field "returned" is the result of the current function.
	returned value.Value
	// The field "choosing" is set as soon as there is a variable that may have any of several values.
	choosing bool
	// goStyle is set if the name of a parameter comes before the type of the parameter, as in Go.
	goStyle bool
	// printHandle is the file handle in the current print statement.
	printHandle string
	work        int
	// The field "literals" holds the string literals of the code.
	literals literals
	// realInFake is set if the code may have put a real object into a fake.
	realInFake bool
	// The field "noCloud" is set while a library answers instead of AWS.
	noCloud bool
	// The field "runner" is set if the code uses a module that runs programs.
	runner bool
	// The field "git" is set if the code uses a library that does the same as git.
	git bool
	// The field "octokit" is set if the code uses a client of GitHub that has this name.
	octokit bool
	// The field "database" is set if the code uses a library for a database.
	database  bool
	connected connections
	// The field "source" is the whole code. The field "importer" is the code that imports this code as a module,
	// or "" if no code imports it.
	source, importer string
}

// TooLarge is the reason of the effect that is added for a program larger than trace.MaxCommandSize.
const TooLarge = "runs a program larger than 128 KiB, which was not analyzed"

func newInterpreter(t *trace.Trace, c *trace.Command, lang trace.Language, v trace.Value) *interpreter {
	return &interpreter{
		System: system.System{Trace: t, Command: c, Language: lang, Out: trace.Flow{Known: true}},
		vars:   map[string]value.Value{}, defined: map[string]*value.Function{}, partial: v.Partial,
		returned: &value.Data{},
	}
}

// Run analyzes a program's source code and returns what it prints.
func Run(t *trace.Trace, c *trace.Command, lang trace.Language, v trace.Value) trace.Flow {
	return RunWith(t, c, lang, v, nil)
}

// RunWith does the same as Run for code that has arguments.
func RunWith(t *trace.Trace, c *trace.Command, lang trace.Language, v trace.Value, args []trace.Value) trace.Flow {
	if len(v.Text) > trace.MaxCommandSize {
		t.Opaque(c.Span, TooLarge, effect.TooLarge)
		return trace.Unknown()
	}
	v.Text = strings.TrimPrefix(v.Text, "\ufeff")
	if lang == trace.Python && strings.ContainsAny(v.Text, "!%") {
		runShellLines(t, c, v.Text)
	}
	in := newInterpreter(t, c, lang, v)
	in.goStyle = lang == trace.Compiled && strings.Contains(v.Text, "package ") && strings.Contains(v.Text, "func ")
	in.source = v.Text
	in.bindArguments(args)
	t.Inside(c.Span, func() trace.Flow {
		in.run(v.Text)
		in.callRemaining()
		in.judgeLiterals()
		in.judgeStatements()
		return trace.Nothing()
	})
	in.markCombinations()
	noteOwnServerRequest(t, c, lang, v.Text)
	return in.Result(v.Taint)
}

// runShellLines analyzes the lines that IPython passes to a shell. Such a line begins with an exclamation mark, or with
// a percent sign and the name of a program.
func runShellLines(t *trace.Trace, c *trace.Command, text string) {
	isCell := strings.HasPrefix(trace.FirstText(c.Argv), "ipython")
	if magic, script, _ := strings.Cut(strings.TrimLeft(text, " \n"), "\n"); isCell && strings.HasPrefix(magic, "%%") &&
		words.InName(magic, "bash sh zsh script system sx") {
		t.RunText(c, trace.Value{Text: script})
		return
	}
	for text != "" {
		var line string
		line, text, _ = strings.Cut(text, "\n")
		if isCell {
			line = cellCommand(line)
		}
		command, ok := strings.CutPrefix(line, "!")
		if magic, isMagic := strings.CutPrefix(line, "%"); isMagic {
			first, rest, _ := strings.Cut(magic, " ")
			if command, ok = magic, t.Find(first) != nil; first == "sx" || first == "system" {
				command, ok = rest, true
			}
		}
		if ok {
			t.RunText(c, trace.Value{Text: command})
		}
	}
}

// cellCommand returns the command in a line of a cell, with one exclamation mark in front. The line may be indented, and
// it may assign the output of the command, as in "files = !ls". It returns any other line unchanged.
func cellCommand(line string) string {
	command := strings.TrimLeft(line, " \t")
	if _, value, ok := strings.Cut(command, "="); ok && strings.HasPrefix(strings.TrimLeft(value, " "), "!") {
		command = strings.TrimLeft(value, " ")
	}
	if strings.HasPrefix(command, "!") {
		return "!" + strings.TrimLeft(command, "!")
	}
	return line
}

// markCombinations adds the effects that depend on the whole program, such as starting processes in an endless loop.
func (in *interpreter) markCombinations() {
	if in.Seen.Forks && in.Seen.Endless && !in.Seen.Waits {
		in.Trace.Mark(in.Command, "starts processes endlessly", effect.ResourceExhaust)
	}
	if in.work > maxCodeWork {
		in.Trace.Opaque(in.Command.Span, "runs a program that is too large to analyze completely", effect.TooLarge)
	}
}

func (in *interpreter) run(src string) {
	if in.nesting >= maxCodeNesting || !in.spend(len(src)) {
		return
	}
	in.nesting++
	p := in.parse(src)
	in.noteLiterals(p.toks)
	if in.Language == trace.Other {
		in.Unsure.Runs = in.Unsure.Runs || hasWord(p.toks, startWords)
		in.Unsure.Writes = in.Unsure.Writes || hasWord(p.toks, writeWords)
		in.Unsure.Reads = hasWord(p.toks, readWords)
		in.noteDeletions(p.toks)
	}
	p.block(len(p.toks))
	in.nesting--
}

// evaluate() analyzes a source text and returns the value of its first expression.
func (in *interpreter) evaluate(src string) value.Value {
	if in.nesting >= maxCodeNesting || !in.spend(len(src)) {
		return &value.Data{}
	}
	in.nesting++
	p := in.parse(src)
	if tok := p.peek(); tok.Kind == lexer.Name && !p.tokenAt(1).IsOp(".") && !p.tokenAt(1).IsOp("=") {
		p.keyword(tok.Text)
	}
	v := p.expr()
	p.block(len(p.toks))
	in.nesting--
	return v
}

// evalText evaluates the argument of a function such as eval() as code.
func (in *interpreter) evalText(v value.Value) value.Value {
	switch {
	case v.Function != nil:
		return in.callFunction(v.Function, value.List()) // as in setTimeout(() => …)
	case v.List && in.Language == trace.Perl:
		return v // as in eval { … }
	}
	if v.Known && !v.List {
		if trace.IsURL(v.Text) && !strings.ContainsAny(v.Text, " \n(") {
			in.runScript(v) // the code is at an address, as in evaluate(new URL("…")) and eval(parse("…"))
			return &value.Data{}
		}
		if v.Taint.Has(trace.Decoded) {
			in.Trace.Opaque(in.Command.Span, "runs decoded text", effect.HiddenExecution)
		} else if v.Taint != 0 && v.Taint.Has(trace.FromNetwork|trace.FromSocket) {
			in.Trace.RunUnknown(in.Command, v.Taint, "")
		}
		return in.evaluate(v.Text)
	}
	if in.runContent(v) {
		return &value.Data{}
	}
	taint := v.ItemTaint()
	if taint == 0 && (in.Seen.Downloads || in.Command.In.Taint.Has(trace.FromNetwork)) {
		taint = trace.FromNetwork // the text may be an argument of a callback that receives the download
	}
	in.Trace.RunUnknown(in.Command, taint, "evaluates unknown code")
	return &value.Data{Taint: taint}
}

// spend() counts n units of work. It returns false if the analysis must stop.
func (in *interpreter) spend(n int) bool {
	in.work += n
	return in.Trace.Spend(stepsOfWork*n) && in.work <= maxCodeWork
}

func (in *interpreter) variable(name string) value.Value {
	if v, ok := in.vars[name]; ok {
		return v
	}
	return &value.Data{}
}

// bind() sets a variable to a value. If the value is unknown, its text becomes $ and the name of the variable.
func (in *interpreter) bind(name string, v value.Value) {
	if name == "" {
		return
	}
	if !v.Known && v.Text == "" && v.Name == "" && !v.List {
		v = v.Clone()
		v.Text = "$" + strings.TrimLeft(name, "$@%")
	}
	if old := in.vars[name]; v.Kind == value.FakeObject && old != nil && old.Kind != value.FakeObject {
		v = &value.Data{Text: old.Text} // the branch of the code that makes the fake possibly does not run
	}
	in.vars[name] = v
}

// noteOwnServerRequest marks a program that contains a path of the guardrails server and also an HTTP method that
// changes something. It ignores Python and JavaScript, because the requests of such programs are analyzed.
func noteOwnServerRequest(t *trace.Trace, c *trace.Command, lang trace.Language, source string) {
	if lang == trace.Python || lang == trace.Script || !strings.Contains(source, "/api/guardrails") {
		return
	}
	lower := strings.ToLower(source)
	for _, method := range [...]string{"delete", "put", "post", "patch"} {
		if self.HasWord(lower, method) {
			t.Mark(c, "changes data of the guard's server", effect.GuardTamper)
			return
		}
	}
}
