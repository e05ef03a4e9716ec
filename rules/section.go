package rules

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"guardrails/internal/document"
)

// section reads one heading with its block and text.
func (m *markdown) section(s section, front *document.Node) {
	block := m.body.fences[s.block]
	if block.last < 0 || len(m.Problems) >= maxProblems {
		return
	}
	fields, ok := m.fields(strings.Join(m.body.lines[block.line+1:block.last], "\n"), m.line(block.line))
	if !ok {
		return
	}
	for _, f := range front.Fields {
		if f.Name == "id" || f.Name == "name" || f.Name == "description" {
			m.Report(f.Value, f.Name, "is above several guidelines", "move it to the block of the guideline that it is for")
			continue
		}
		// The fields of a block take precedence over those of the front matter.
		fields.Add(f.Name, f.Line, f.Value)
	}
	id := slug(s.text)
	if id != "" {
		id = m.fileSlug + "." + id
	}
	instruction, line := m.body.text(block.last+1, s.end)
	m.rule(fields, prose{
		line: m.line(s.line), id: strings.TrimLeft(id, "."), name: s.text,
		instruction: instruction, instructionLine: m.line(line),
	})
}

// section is a second-level heading with its block. end is the index of the line after it.
type section struct {
	heading
	block, end int
}

// sections returns the headings with blocks. If only some headings have one, the others are a problem, because their text
// would be lost.
func (m *markdown) sections() []section {
	var out []section
	var bare []heading
	claimed := map[int]bool{}
	for i, h := range m.body.headings {
		if h.level != 2 {
			continue
		}
		block := m.body.blockBelow(h.line)
		if block < 0 {
			bare = append(bare, h)
			continue
		}
		claimed[block] = true
		out = append(out, section{heading: h, block: block, end: m.body.endOf(i)})
	}
	for i, f := range m.body.fences {
		if f.isBlock() && !claimed[i] {
			m.report(f.line, "is a guardrails block without a heading", "move it directly below a ## heading")
		}
	}
	if len(out) > 0 {
		for _, h := range bare {
			m.report(h.line, fmt.Sprintf("the heading %q has no guardrails block", h.text), "add one directly below it, or make it a ### heading")
		}
	}
	return out
}

func (f fence) isBlock() bool { word, _, _ := strings.Cut(f.info, " "); return word == "guardrails" }

// blockBelow returns the index of the guardrails block directly below a line, or -1.
func (o *outline) blockBelow(line int) int {
	next := o.nextText(line+1, len(o.lines))
	i, found := slices.BinarySearchFunc(o.fences, next, func(f fence, line int) int { return cmp.Compare(f.line, line) })
	if !found || !o.fences[i].isBlock() {
		return -1
	}
	return i
}

// endOf returns the line after the section of a heading, which is the next heading of the first or second level.
func (o *outline) endOf(index int) int {
	for _, h := range o.headings[index+1:] {
		if h.level <= 2 {
			return h.line
		}
	}
	return len(o.lines)
}
