// Package powershell analyzes PowerShell scripts.
package powershell

import (
	"strings"

	"guardrails/detect/effect"
	"guardrails/detect/toolcall/literal"
	"guardrails/detect/toolcall/shell"
	"guardrails/detect/toolcall/trace"
	"guardrails/detect/toolcall/words"
)

// interpreter analyzes a PowerShell text. It builds no syntax tree. Instead, it reads the text from left to right and
// analyzes each statement at once. The content of a block is analyzed only when something runs the block. The analysis
// begins in script().
type interpreter struct {
	trace *trace.Trace
	sc    *trace.Scope
	state *sharedState
	// The field "in" holds the input that comes from the pipe.
	in objects
}

// sharedState is the state that is common to all blocks of a script.
type sharedState struct {
	functions map[string]fragment
	tables    map[string]fragment // the hash table of each variable, for @splatting
	// The field "socket" is set after the script has opened a connection. Code that the script runs later may come
	// from that connection.
	socket bool
	// The field "read" is the number of bytes that have been read so far. The body of a loop is counted again in
	// each iteration.
	read int
}

// The type "fragment" is a part of the source: a script block or the text between brackets.
type fragment struct {
	text   string
	offset int // the position of the text in the source
}

// maxRead is the maximum number of bytes that are read in the analysis of one script. The body of a loop is counted
// again in each iteration.
const maxRead = 8 << 20

// Run analyzes the command in a call of the PowerShell tool.
func Run(t *trace.Trace, command string) {
	t.Source = command
	if shell.HasHiddenRune(command) {
		t.Opaque(t.Span(0, len(command)),
			"contains an invisible or direction-changing character, so it may not be what it looks like", effect.HiddenExecution)
	}
	newInterpreter(t, &trace.Scope{Cwd: t.Env.Cwd}).script(fragment{text: command})
}

// Evaluate analyzes a text that a PowerShell process runs. It returns the output of that text.
func Evaluate(t *trace.Trace, sc *trace.Scope, v trace.Value, span effect.Span) trace.Flow {
	return newInterpreter(t, sc).evaluate(v, span).flow()
}

// RunFile analyzes a script file that a PowerShell process runs with arguments. It returns the output of the script.
func RunFile(t *trace.Trace, sc *trace.Scope, file trace.Value, args []trace.Value, span effect.Span) trace.Flow {
	list := make([]argument, len(args))
	for i := range args {
		list[i].values = args[i : i+1]
	}
	return newInterpreter(t, sc).runFile(file, list, span).flow()
}

func newInterpreter(t *trace.Trace, sc *trace.Scope) *interpreter {
	state := &sharedState{functions: map[string]fragment{}, tables: map[string]fragment{}}
	return &interpreter{trace: t, sc: sc, state: state}
}

// script() analyzes a whole script and returns its output. It does not analyze a script that exceeds the limits.
func (p *interpreter) script(block fragment) objects {
	t := p.trace
	p.state.read += len(block.text)
	switch {
	case t.Full || shell.ExceedsLimits(t, block.text):
		return unknownObject()
	case p.state.read > maxRead:
		t.Overflow("has loops that run too long to be analyzed")
		return unknownObject()
	case literal.NestsTooDeep(block.text):
		t.Overflow("nests brackets deeper than 150 levels")
		return unknownObject()
	}
	t.Depth++
	defer func() { t.Depth-- }()
	// A no-break space also separates words. A no-break space has two bytes. It is replaced with two spaces, so all
	// offsets remain valid.
	block.text = strings.ReplaceAll(plainQuotes(block.text), "\u00a0", "  ")
	return p.block(block)
}

// block() analyzes a part of a script. The method stops if the script exceeds a limit.
func (p *interpreter) block(block fragment) objects {
	if p.trace.Full {
		return unknownObject()
	}
	if p.trace.Nesting >= literal.MaxNesting {
		p.trace.Overflow("nests commands deeper than 150 levels")
		return unknownObject()
	}
	p.state.read += len(block.text)
	p.trace.Spend(len(block.text))
	if p.state.read > maxRead {
		p.trace.Overflow("has loops that run too long to be analyzed")
		return unknownObject()
	}
	p.trace.Nesting++
	defer func() { p.trace.Nesting-- }()
	r := &reader{p: p, s: block.text, offset: block.offset}
	var out objects
	for !p.trace.Full {
		r.skipSeparators()
		if r.atEnd() {
			break
		}
		start := r.i
		out.add(r.statement())
		if r.i == start {
			r.i++ // an unmatched closing bracket
		}
	}
	return out
}

// child() analyzes a block that gets the given input from the pipe.
func (p *interpreter) child(block fragment, in objects) objects {
	inner := *p
	inner.in = in
	return inner.block(block)
}

// text() analyzes code that is not a part of the source, such as the text of a variable.
func (p *interpreter) text(text string, span effect.Span) objects {
	var out objects
	p.trace.Inside(span, func() trace.Flow {
		out = p.script(fragment{text: text})
		return trace.Nothing()
	})
	return out
}

// plainQuotes replaces typographic quotes and dashes with plain quotes and hyphens, because they mean the same in
// PowerShell.
func plainQuotes(s string) string {
	if !strings.Contains(s, "\xe2\x80") {
		return s
	}
	return words.Replace(s, "‘", "'", "’", "'", "‚", "'", "‛", "'", "“", `"`, "”", `"`, "„", `"`,
		"–", "-", "—", "-", "―", "-")
}
