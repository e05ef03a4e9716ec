package rules

import (
	"strings"

	"guardrails/guideline"
	"guardrails/internal/document"
)

// assemble() builds the full form of a guideline. The parameter "fields" holds the fields of the guideline in a file,
// and the parameter "path" says where these fields are in the file. The parameter "p" is the prose of a Markdown rule;
// it is nil for other files. assemble() also adds what the fields imply: the id, the category, the type of the action
// and the type of the gate.
func assemble(d *document.Decoder, fields *document.Node, path string, p *prose) *assembly {
	a := &assembly{Decoder: d, path: path, written: map[string]string{}}
	for i := range a.parts {
		a.parts[i] = &document.Node{Kind: document.Object}
	}
	a.parts[inGuideline].Line = fields.Line
	if p != nil {
		a.parts[inGuideline].Line = p.line
	}
	before := len(d.Problems)
	if a.Fields(fields, path, topFields(), func(string, *document.Node, string) {}) {
		// An unknown field may be the action with a misspelled name.
		a.mayLackAction = p != nil || len(d.Problems) > before
		for _, f := range fields.Fields {
			a.place(f)
		}
	} else {
		// guideline.Decode reports the same problem. Reporting it once is enough.
		other := *fields
		a.parts[inGuideline], a.mayLackAction = &other, true
	}
	a.addProse(p)
	a.join(inParameters, inAction, "parameters")
	a.imply()
	a.join(inCondition, inGuideline, "condition")
	a.join(inAction, inGuideline, "action")
	return a
}

type assembly struct {
	*document.Decoder
	path  string
	parts [4]*document.Node
	// The field "given" has a line number for each part. If one object in the file is the whole part, such as
	// "condition", the number is the line of that object. Otherwise, the number is 0.
	given [4]int
	// The field "asks" is set if the guideline asks about every call that its condition matches.
	asks bool
	// lacksAction is set if no field says what the guideline does. mayLackAction is set if a missing action is allowed,
	// or if a problem that is already reported may explain why the action is missing.
	lacksAction, mayLackAction bool
	// typeImplied is set if the file does not name the type of the action.
	typeImplied bool
	// The field "written" maps the path of a field in the full form to its path in the file. It contains only fields
	// for which the two paths differ.
	written map[string]string
}

// decode() returns the finished guideline. The message of a problem names a field by its path in the file.
func (a *assembly) decode() guideline.Guideline {
	before := len(a.Problems)
	g := guideline.Decode(a.Decoder, a.parts[inGuideline], a.path)
	for i := range a.Problems[before:] {
		p := &a.Problems[before+i]
		if full, ok := strings.CutPrefix(p.Path, document.Join(a.path, "")); ok && full != "" {
			p.Path = document.Join(a.path, writtenPath(a.written, full))
		}
	}
	if a.lacksAction {
		a.Report(a.parts[inGuideline], a.path, "has no action", `write "deny", "ask", "allow", "tell", "action" or a limit such as "max_files"`)
	}
	return g
}

// writtenPath converts the path of a field in the full form to its path in the file.
func writtenPath(written map[string]string, full string) string {
	if path, ok := written[full]; ok {
		return path
	}
	if i := strings.LastIndexAny(full, ".["); i > 0 {
		return writtenPath(written, full[:i]) + full[i:]
	}
	return full
}

// place() adds a top-level field of the file to the part of the full form to which the field belongs.
func (a *assembly) place(f document.Field) {
	switch f.Name {
	case "condition":
		a.merge(inCondition, f)
	case "action":
		a.merge(inAction, f)
	default:
		if p := placeOf(f.Name); p != nil {
			if value := a.convert(p, f); value != nil {
				a.put(p.part, p.full, f.Line, value, f.Name)
			}
		}
	}
}

// merge() adds all fields of an object in the file to a part. If the file has another value in place of the object,
// this value replaces the part, and guideline.Decode reports the problem.
func (a *assembly) merge(to part, f document.Field) {
	switch f.Value.Kind {
	case document.Null:
		return
	case document.Object:
		a.parts[to].Line = f.Value.Line
	default:
		a.parts[to] = f.Value
	}
	a.given[to] = f.Line
	for _, field := range f.Value.Fields {
		if to == inAction && field.Name == "parameters" && field.Value.Kind == document.Object {
			a.merge(inParameters, field)
			continue
		}
		a.put(to, field.Name, field.Line, field.Value, to.path(field.Name))
	}
}

// put() adds a field to a part. The parameter "path" is the path of the field in the file.
func (a *assembly) put(to part, name string, line int, value *document.Node, path string) {
	full := to.path(name)
	if !a.parts[to].Add(name, line, value) {
		a.Report(value, document.Join(a.path, path),
			"means the same as "+writtenPath(a.written, full)+", which is also given", "keep one of the two")
		return
	}
	if full != path {
		a.written[full] = path
	}
}

// convert() returns the value of a field in the full form, or nil if there is nothing to add.
func (a *assembly) convert(p *place, f document.Field) *document.Node {
	path := document.Join(a.path, f.Name)
	switch {
	case p.form == asDecoded:
		return f.Value
	case f.Value.Kind == document.Null:
		a.Report(&document.Node{Line: f.Line}, path, "is empty", "write a value or remove the field")
		return nil
	case p.form == clientGlobs:
		return a.globs(p, f)
	case f.Value.Kind == document.Bool && p.form != oneOrMore:
		return a.fullForm(p, f.Value, path)
	case f.Value.Kind == document.String:
		a.written[p.part.path(p.full)+"[0]"] = f.Name
		return list(f.Value.Line, f.Value)
	}
	return f.Value
}

// globs() converts globs from the client's syntax to our syntax.
func (a *assembly) globs(p *place, f document.Field) *document.Node {
	value, origins := clientPaths(a.Decoder, f.Value, document.Join(a.path, f.Name))
	for i, path := range origins[:min(len(origins), guideline.MaxListItems)] {
		path, _ = strings.CutPrefix(path, document.Join(a.path, ""))
		a.written[document.Index(p.part.path(p.full), i)] = path
	}
	return value
}

// fullForm returns the value that "deny: true" or "ask: true" stands for in the full form.
func (a *assembly) fullForm(p *place, n *document.Node, path string) *document.Node {
	if n.Text != "true" {
		a.Report(n, path, "is false", "write tool patterns, or true for every call that the condition matches")
		return nil
	}
	if p.form == everyCall {
		a.asks = true
		return nil
	}
	var patterns []*document.Node
	for _, pattern := range everyToolPatterns() {
		patterns = append(patterns, text(n.Line, pattern))
	}
	return list(n.Line, patterns...)
}

func list(line int, items ...*document.Node) *document.Node {
	return &document.Node{Kind: document.List, Line: line, Items: items}
}

func text(line int, s string) *document.Node {
	return &document.Node{Kind: document.String, Line: line, Text: s}
}

// join() adds a part to the part that contains it. It leaves out an empty part, unless the file contains this part as
// an empty object.
func (a *assembly) join(p, into part, name string) {
	n, line := a.parts[p], a.given[p]
	switch {
	case line == 0 && len(n.Fields) == 0:
		return
	case line == 0:
		line = n.Fields[0].Line
		n.Line = line
	}
	a.parts[into].Add(name, line, n)
}

// addProse adds the name and the text of a Markdown rule to the guideline.
func (a *assembly) addProse(p *prose) {
	if p == nil {
		return
	}
	a.add(inGuideline, "id", p.id)
	a.add(inGuideline, "name", p.name)
	if p.instruction != "" {
		const full = "action.instruction"
		if a.parts[inAction].Field("instruction") != nil {
			a.Report(&document.Node{Line: p.instructionLine}, writtenPath(a.written, full),
				"is given both in the fields and in the text", "keep one of the two")
		}
		a.parts[inAction].Add("instruction", p.instructionLine, text(p.instructionLine, p.instruction))
	}
	a.add(inGuideline, "description", firstParagraph(textOf(a.parts[inAction], "instruction")))
}

// imply() adds the fields that the file leaves out, if other fields imply them.
func (a *assembly) imply() {
	action, condition := a.parts[inAction], a.parts[inCondition]
	a.lacksAction = len(action.Fields) == 0 && action.Kind == document.Object && !a.asks && !a.mayLackAction
	a.add(inGuideline, "id", a.impliedID())
	if a.asks {
		a.add(inAction, "gate_type", a.gateType())
	}
	a.typeImplied = action.Field("type") == nil
	a.add(inAction, "type", string(impliedAction(action)))
	if textOf(action, "type") == string(guideline.HITLGate) || len(present(action, "tools_asked", "gate_threshold")) > 0 {
		a.add(inAction, "gate_type", a.gateType())
	}
	a.add(inGuideline, "category", string(impliedCategory(action, condition)))
}

// impliedID returns an id that is made from the name of a guideline.
func (a *assembly) impliedID() string {
	name := a.parts[inGuideline].Field("name")
	if name == nil || name.Kind != document.String {
		// guideline.Decode reports the invalid name. So the missing id, which follows from it, is not reported as well.
		return "unnamed"
	}
	id := slug(name.Text)
	return strings.TrimRight(id[:min(len(id), guideline.MaxIDLength)], "._-")
}

// gateType returns the gate type for a gate if the file names no gate type. It is the guideline's id with underscores.
func (a *assembly) gateType() string {
	return strings.NewReplacer("-", "_", ".", "_").Replace(textOf(a.parts[inGuideline], "id"))
}

// add() adds a string field to a part, unless the field exists or the value is empty.
func (a *assembly) add(to part, name, value string) {
	if value != "" {
		a.parts[to].Add(name, a.parts[to].Line, text(a.parts[to].Line, value))
	}
}

func textOf(n *document.Node, name string) string {
	if field := n.Field(name); field != nil {
		return field.Text
	}
	return ""
}
