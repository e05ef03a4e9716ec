package rules

import (
	"bytes"
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"guardrails/internal/document"
)

// parseMarkdown reads a Markdown rule in .claude/rules. Below the front matter, the file has either the text of one
// guideline, or several headings, each with a block of guideline fields.
func parseMarkdown(name string, text []byte) (File, document.Problems) {
	m := &markdown{reader: reader{Decoder: &document.Decoder{File: name}}}
	if !m.readable(text) {
		return File{}, m.Problems
	}
	front, body, bodyLine, ok := m.split(strings.ReplaceAll(string(text), "\r\n", "\n"))
	if !ok {
		return File{}, m.Problems
	}
	m.body, m.linesBefore = outlineOf(body), bodyLine-1
	m.fileSlug = slug(strings.TrimSuffix(filepath.Base(name), filepath.Ext(name)))
	if n := len(m.body.fences); n > 0 && m.body.fences[n-1].last < 0 {
		m.report(m.body.fences[n-1].line, "begins a code block that does not end", "end it with the same marks")
	}
	if sections := m.sections(); len(sections) > 0 {
		for _, s := range sections {
			m.section(s, front)
		}
	} else {
		m.single(front)
	}
	if m.broken {
		return File{}, m.Problems
	}
	return m.file, m.Problems
}

type markdown struct {
	reader
	body        outline
	linesBefore int
	fileSlug    string
	// The field "broken" is set if the structure of the file is wrong. Then nothing in the file can be used.
	broken bool
}

func (m *markdown) readable(text []byte) bool {
	switch {
	case len(text) > document.MaxSize:
		m.Problems = append(m.Problems, document.TooLarge(m.File))
	case !utf8.Valid(text):
		m.Problems = append(m.Problems, document.Problem{
			File: m.File, Message: "is not valid UTF-8",
			Remedy: "save the file as UTF-8",
		})
	case len(bytes.TrimSpace(text)) == 0:
		m.Problems = append(m.Problems,
			document.Problem{File: m.File, Message: "is empty", Remedy: "write a rule or remove the file"})
	default:
		return true
	}
	return false
}

// report() reports a problem with the structure of the file. The parameter "index" is the index of a line in the body.
func (m *markdown) report(index int, message, remedy string) {
	m.broken = true
	m.Report(&document.Node{Line: m.line(index)}, "", message, remedy)
}

func (m *markdown) line(index int) int { return index + 1 + m.linesBefore }

// split() divides a file into the front matter and the body. The result bodyLine is the line at which the body begins.
func (m *markdown) split(text string) (front *document.Node, body string, bodyLine int, ok bool) {
	front = &document.Node{Kind: document.Object, Line: 1}
	lines := strings.Split(text, "\n")
	if strings.TrimRight(lines[0], " \t") != "---" {
		return front, text, 1, true
	}
	for i := 1; i < len(lines); i++ {
		if strings.TrimRight(lines[i], " \t") == "---" {
			front, ok = m.fields(strings.Join(lines[1:i], "\n"), 1)
			return front, strings.Join(lines[i+1:], "\n"), i + 2, ok
		}
	}
	m.report(0, "begins front matter that does not end", "end it with a line ---")
	return nil, "", 0, false
}

// fields() parses the YAML of front matter or of a block. The text may be empty. The parameter linesBefore is the
// number of lines above the text in the file.
func (m *markdown) fields(text string, linesBefore int) (*document.Node, bool) {
	docs, problems := parseYAMLAt(m.File, []byte(text), linesBefore)
	m.Problems = append(m.Problems, problems...)
	at := &document.Node{Kind: document.Object, Line: linesBefore + 1}
	switch {
	case len(problems) > 0:
		m.broken = true
		return at, false
	case len(docs) == 0 || len(docs) == 1 && docs[0].Kind == document.Null:
		return at, true
	case len(docs) > 1 || docs[0].Kind != document.Object:
		m.broken = true
		m.Report(docs[len(docs)-1], "", "is not a set of fields", "write lines such as name: value")
		return at, false
	}
	return docs[0], true
}

// The type "prose" is the part of a Markdown rule that becomes the name and the texts of a guideline.
type prose struct {
	line            int
	id, name        string
	instruction     string
	instructionLine int
}

// single() reads the whole file as one guideline.
func (m *markdown) single(front *document.Node) {
	name, instruction, line := m.body.single()
	if name == "" {
		name = strings.TrimSuffix(filepath.Base(m.File), filepath.Ext(m.File))
	}
	m.rule(front, prose{
		line: 1, id: m.fileSlug, name: name,
		instruction: instruction, instructionLine: m.line(line),
	})
}

// single() returns the first heading as the name. The instruction is everything below this heading, including later
// headings. If the text does not begin with the heading, the instruction is the whole text.
func (o *outline) single() (name, instruction string, line int) {
	instruction, line = o.text(0, len(o.lines))
	if len(o.headings) == 0 {
		return "", instruction, line
	}
	if first := o.headings[0]; first.line == line {
		instruction, line = o.text(line+1, len(o.lines))
	}
	return o.headings[0].text, instruction, line
}

// text() returns the trimmed text between two lines, and the line at which it begins.
func (o *outline) text(from, to int) (text string, line int) {
	from = o.nextText(from, to)
	return strings.TrimSpace(strings.Join(o.lines[from:to], "\n")), from
}

// nextText returns the index of the first line in lines[from:to] that is not blank. If all of these lines are blank, it
// returns the parameter "to".
func (o *outline) nextText(from, to int) int {
	for from < to && strings.TrimSpace(o.lines[from]) == "" {
		from++
	}
	return from
}

func (m *markdown) rule(fields *document.Node, p prose) {
	m.assembled(fields, "", &p, p.line)
}

// section() reads one heading with the block and the text below it.
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
			m.Report(f.Value, f.Name, "is in the front matter, but each guideline of the file has a block of its own",
				"move it to the block of the guideline that it is for")
			continue
		}
		// The fields of a block take precedence over the fields of the front matter.
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

// The type "section" is a second-level heading with the block below it. The field "end" is the index of the line after
// the section.
type section struct {
	heading
	block, end int
}

// sections() returns the headings that have a block. If only some headings have a block, it reports the headings
// without a block, because their text would be lost.
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
			m.report(h.line, fmt.Sprintf("the heading %q has no guardrails block", h.text),
				"add one directly below it, or make it a ### heading")
		}
	}
	return out
}

func (f fence) isBlock() bool { word, _, _ := strings.Cut(f.info, " "); return word == "guardrails" }

// blockBelow returns the index of the "guardrails" block directly below a line, or -1.
func (o *outline) blockBelow(line int) int {
	next := o.nextText(line+1, len(o.lines))
	i, found := slices.BinarySearchFunc(o.fences, next, func(f fence, line int) int { return cmp.Compare(f.line, line) })
	if !found || !o.fences[i].isBlock() {
		return -1
	}
	return i
}

// endOf returns the index of the line at which the section of a heading ends. A section ends at the next heading of
// the first or second level, or at the end of the text.
func (o *outline) endOf(index int) int {
	for _, h := range o.headings[index+1:] {
		if h.level <= 2 {
			return h.line
		}
	}
	return len(o.lines)
}
