// Package powershell follows PowerShell scripts.
package powershell

import (
	"strings"

	"guardrails/detect/effect"
	"guardrails/detect/toolcall/literal"
	"guardrails/detect/toolcall/shell"
	"guardrails/detect/toolcall/trace"
)

// powerShell follows a PowerShell text. There is no syntax tree: the text is read once from left to right and what it
// says is done as it is read, with blocks kept as text until something runs them. Start with script.
type powerShell struct {
	trace *trace.Trace
	sc    *trace.Scope
	// state is what all blocks of one call share.
	state *powerState
	// in is what comes in over the pipe.
	in powerData
}

type powerState struct {
	functions map[string]powerBlock
	tables    map[string]powerBlock // hash tables by variable, for @splatting
	// socket is set once the text has opened a connection: what it runs then may come from there.
	socket bool
	// read counts the bytes gone through, because a loop reads its block again at every turn.
	read int
}

// powerBlock is a part of the text: a script block, or what stands between brackets.
type powerBlock struct {
	text string
	base int // where it stands in the source
}

// powerData is what goes through a pipe or stands in a variable.
type powerData struct {
	list []trace.Value
	// files are the paths of file objects, as Get-ChildItem gives them; tree is set when it goes into folders.
	files []trace.Value
	tree  bool
}

// maxPowerRead bounds the bytes that one call may make the analysis go through.
const maxPowerRead = 8 << 20

// Run analyses the command of the PowerShell tool.
func Run(t *trace.Trace, command string) {
	t.Source = command
	if shell.HasHiddenRune(command) {
		t.Opaque(t.Span(0, len(command)), "contains an invisible or direction-changing character, so it may not be what it looks like", effect.HiddenExecution)
	}
	NewPowerShell(t, &trace.Scope{Cwd: t.Env.Cwd}).script(powerBlock{text: command})
}

func NewPowerShell(t *trace.Trace, sc *trace.Scope) *powerShell {
	return &powerShell{trace: t, sc: sc, state: &powerState{functions: map[string]powerBlock{}, tables: map[string]powerBlock{}}}
}

// script analyses a whole text within the limits and returns what it prints.
func (p *powerShell) script(block powerBlock) powerData {
	t := p.trace
	p.state.read += len(block.text)
	switch {
	case t.Full || shell.Exceeds(t, block.text):
		return unknownData()
	case p.state.read > maxPowerRead:
		t.Overflow("has loops that run too long to be followed")
		return unknownData()
	case literal.NestsTooDeep(block.text):
		t.Overflow("nests brackets deeper than 150 levels")
		return unknownData()
	}
	t.Depth++
	defer func() { t.Depth-- }()
	// A no-break space parts words too; two spaces keep the offsets.
	block.text = strings.ReplaceAll(plainQuotes(block.text), "\u00a0", "  ")
	return p.block(block)
}

// block analyses a part of a text that was measured before.
func (p *powerShell) block(block powerBlock) powerData {
	if p.trace.Full {
		return unknownData()
	}
	if p.trace.Nesting >= literal.MaxNesting {
		p.trace.Overflow("nests commands deeper than 150 levels")
		return unknownData()
	}
	p.state.read += len(block.text)
	if p.state.read > maxPowerRead {
		p.trace.Overflow("has loops that run too long to be followed")
		return unknownData()
	}
	p.trace.Nesting++
	defer func() { p.trace.Nesting-- }()
	r := &powerReader{p: p, s: block.text, base: block.base}
	var out powerData
	for !p.trace.Full {
		r.separators()
		if r.end() {
			break
		}
		start := r.i
		out.add(r.statement())
		if r.i == start {
			r.i++ // a bracket that closes nothing
		}
	}
	return out
}

// child runs a block with something coming in.
func (p *powerShell) child(block powerBlock, in powerData) powerData {
	inner := *p
	inner.in = in
	return inner.block(block)
}

// text runs a text that is not part of the source.
func (p *powerShell) text(text string, span effect.Span) powerData {
	var out powerData
	p.trace.Inside(span, func() trace.Flow {
		out = p.script(powerBlock{text: text})
		return trace.Nothing()
	})
	return out
}

// plainQuotes writes the typographic quotes and dashes as plain ones, because PowerShell takes them for those.
func plainQuotes(s string) string {
	if !strings.Contains(s, "\xe2\x80") {
		return s
	}
	return strings.NewReplacer("‘", "'", "’", "'", "‚", "'", "‛", "'", "“", `"`, "”", `"`, "„", `"`, "–", "-", "—", "-", "―", "-").Replace(s)
}

// maxItems bounds a list.
const maxItems = 4096

func (d *powerData) add(more powerData) {
	if len(d.list)+len(more.list) <= maxItems {
		d.list = append(d.list, more.list...)
	}
	if len(d.files)+len(more.files) <= maxItems {
		d.files = append(d.files, more.files...)
	}
	d.tree = d.tree || more.tree
}

func (d powerData) taint() trace.Taint {
	var t trace.Taint
	for _, v := range d.list {
		t |= v.Taint
	}
	return t
}

// single is the data as one text.
func (d powerData) single(separator string) trace.Value {
	if len(d.list) == 1 {
		return d.list[0]
	}
	var out trace.Value
	var b strings.Builder
	for i, v := range d.list {
		if b.Len() <= maxPowerText && i > 0 {
			b.WriteString(separator)
		}
		if b.Len() <= maxPowerText {
			b.WriteString(v.Text)
		}
		out.Partial = out.Partial || v.Partial
		out.Taint |= v.Taint
	}
	out.Text = b.String()
	return capped(out)
}

// maxPowerText is how much of a computed text is followed.
const maxPowerText = 1 << 16

// capped keeps a text from doubling without end.
func capped(v trace.Value) trace.Value {
	if len(v.Text) > maxPowerText {
		v.Text, v.Partial = strings.ToValidUTF8(v.Text[:maxPowerText], ""), true
	}
	return v
}

func (d powerData) Flow() trace.Flow {
	v := d.single("\n")
	return trace.Flow{Text: v.Text, Known: !v.Partial && len(d.files) == 0, Taint: v.Taint}
}

func fromFlow(f trace.Flow) powerData {
	if f.Known {
		if f.Text == "" {
			return powerData{}
		}
		return powerData{list: []trace.Value{{Text: strings.TrimSuffix(f.Text, "\n"), Quality: trace.Quality{Taint: f.Taint}}}}
	}
	return unknownWith(f.Taint)
}

func unknownData() powerData { return unknownWith(trace.FromProgram) }

func unknownWith(t trace.Taint) powerData {
	return powerData{list: []trace.Value{{Text: "$(…)", Quality: trace.Quality{Partial: true, Taint: t}}}}
}

func textData(text string) powerData { return powerData{list: []trace.Value{{Text: text}}} }
