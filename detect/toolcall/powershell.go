package toolcall

import (
	"strings"

	"guardrails/detect/effect"
)

// powerShell follows a PowerShell text. There is no syntax tree: the text is read once from left to right and what it
// says is done as it is read, with blocks kept as text until something runs them. Start with script.
type powerShell struct {
	a  *analyzer
	sc *scope
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
	list []value
	// files are the paths of file objects, as Get-ChildItem gives them; tree is set when it goes into folders.
	files []value
	tree  bool
}

// maxPowerRead bounds the bytes that one call may make the analysis go through.
const maxPowerRead = 8 << 20

// powershell analyses the command of the PowerShell tool.
func (a *analyzer) powershell(command string) {
	a.source = command
	if hasHiddenRune(command) {
		a.opaque(a.span(0, len(command)), "contains an invisible or direction-changing character, so it may not be what it looks like", effect.HiddenExecution)
	}
	a.newPowerShell(&scope{cwd: a.env.Cwd}).script(powerBlock{text: command})
}

func (a *analyzer) newPowerShell(sc *scope) *powerShell {
	return &powerShell{a: a, sc: sc, state: &powerState{functions: map[string]powerBlock{}, tables: map[string]powerBlock{}}}
}

// script analyses a whole text within the limits and returns what it prints.
func (p *powerShell) script(block powerBlock) powerData {
	a := p.a
	p.state.read += len(block.text)
	switch {
	case a.full || a.exceeds(block.text):
		return unknownData()
	case p.state.read > maxPowerRead:
		a.overflow("has loops that run too long to be followed")
		return unknownData()
	case nestsTooDeep(block.text):
		a.overflow("nests brackets deeper than 150 levels")
		return unknownData()
	}
	a.depth++
	defer func() { a.depth-- }()
	// A no-break space parts words too; two spaces keep the offsets.
	block.text = strings.ReplaceAll(plainQuotes(block.text), "\u00a0", "  ")
	return p.block(block)
}

// block analyses a part of a text that was measured before.
func (p *powerShell) block(block powerBlock) powerData {
	if p.a.full {
		return unknownData()
	}
	if p.a.nesting >= maxNesting {
		p.a.overflow("nests commands deeper than 150 levels")
		return unknownData()
	}
	p.state.read += len(block.text)
	if p.state.read > maxPowerRead {
		p.a.overflow("has loops that run too long to be followed")
		return unknownData()
	}
	p.a.nesting++
	defer func() { p.a.nesting-- }()
	r := &powerReader{p: p, s: block.text, base: block.base}
	var out powerData
	for !p.a.full {
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
	p.a.inside(span, func() flow {
		out = p.script(powerBlock{text: text})
		return nothing()
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

func (d powerData) taint() taint {
	var t taint
	for _, v := range d.list {
		t |= v.taint
	}
	return t
}

// single is the data as one text.
func (d powerData) single(separator string) value {
	if len(d.list) == 1 {
		return d.list[0]
	}
	var out value
	var b strings.Builder
	for i, v := range d.list {
		if b.Len() <= maxPowerText && i > 0 {
			b.WriteString(separator)
		}
		if b.Len() <= maxPowerText {
			b.WriteString(v.text)
		}
		out.partial = out.partial || v.partial
		out.taint |= v.taint
	}
	out.text = b.String()
	return capped(out)
}

// maxPowerText is how much of a computed text is followed.
const maxPowerText = 1 << 16

// capped keeps a text from doubling without end.
func capped(v value) value {
	if len(v.text) > maxPowerText {
		v.text, v.partial = strings.ToValidUTF8(v.text[:maxPowerText], ""), true
	}
	return v
}

func (d powerData) flow() flow {
	v := d.single("\n")
	return flow{text: v.text, known: !v.partial && len(d.files) == 0, taint: v.taint}
}

func fromFlow(f flow) powerData {
	if f.known {
		if f.text == "" {
			return powerData{}
		}
		return powerData{list: []value{{text: strings.TrimSuffix(f.text, "\n"), quality: quality{taint: f.taint}}}}
	}
	return unknownWith(f.taint)
}

func unknownData() powerData { return unknownWith(fromProgram) }

func unknownWith(t taint) powerData {
	return powerData{list: []value{{text: "$(…)", quality: quality{partial: true, taint: t}}}}
}

func textData(text string) powerData { return powerData{list: []value{{text: text}}} }
