package rules

import (
	"reflect"
	"slices"
	"strings"

	"guardrails/guideline"
	"guardrails/internal/document"
)

// assemble builds the document of a guideline from the fields of a front matter or block and from the prose. The fields
// of condition and action may also be written at the top level.
func assemble(d *document.Decoder, fields *document.Node, p prose) *document.Node {
	a := &assembly{
		Decoder:   d,
		whole:     object(p.line),
		condition: object(p.line),
		action:    object(p.line),
	}
	a.place(fields)
	a.text(a.whole, "id", p.line, p.id)
	a.text(a.whole, "name", p.line, p.name)
	a.instruct(p)
	a.text(a.whole, "description", p.line, firstParagraph(textOf(a.action, "instruction")))
	a.text(a.whole, "category", p.line, string(impliedCategory(a.condition)))
	a.text(a.action, "type", p.line, string(impliedAction(a.action)))
	a.whole.Add("condition", a.condition.Line, a.condition)
	a.whole.Add("action", a.action.Line, a.action)
	return a.whole
}

type assembly struct {
	*document.Decoder
	whole, condition, action *document.Node
}

func object(line int) *document.Node { return &document.Node{Kind: document.Object, Line: line} }

// text adds a field unless it exists or the text is empty.
func (a *assembly) text(to *document.Node, name string, line int, text string) {
	if text != "" {
		to.Add(name, line, &document.Node{Kind: document.String, Line: line, Text: text})
	}
}

func textOf(n *document.Node, name string) string {
	if field := n.Field(name); field != nil {
		return field.Text
	}
	return ""
}

// place moves every field to its place in a guideline.
func (a *assembly) place(fields *document.Node) {
	var specs []document.Spec
	for _, name := range fieldNames(reflect.TypeFor[guideline.Guideline]()) {
		switch name {
		case "condition":
			specs = append(specs, document.Spec{Name: name, Read: a.merge(a.condition)})
		case "action":
			specs = append(specs, document.Spec{Name: name, Read: a.merge(a.action)})
		default:
			specs = append(specs, a.into(a.whole, name))
		}
	}
	specs = append(specs, document.Spec{Name: "paths", Read: func(n *document.Node, path string) {
		a.put(a.condition, "paths", n.Line, clientPaths(a.Decoder, n, path), path)
	}})
	for _, name := range conditionShortcuts() {
		specs = append(specs, a.into(a.condition, name))
	}
	for _, name := range actionShortcuts() {
		specs = append(specs, a.into(a.action, name))
	}
	a.Object(fields, "", specs)
}

func (a *assembly) into(to *document.Node, name string) document.Spec {
	return document.Spec{Name: name, Read: func(n *document.Node, path string) { a.put(to, name, n.Line, n, path) }}
}

// merge adds the fields of a whole condition or action. A value that is not an object replaces the whole condition or
// action, and the decoder of guidelines reports the problem.
func (a *assembly) merge(to *document.Node) func(*document.Node, string) {
	return func(n *document.Node, path string) {
		if n.Kind == document.Null {
			return
		}
		if n.Kind != document.Object {
			*to = *n
			return
		}
		to.Line = n.Line
		for _, f := range n.Fields {
			a.put(to, f.Name, f.Line, f.Value, document.Join(path, f.Name))
		}
	}
}

func (a *assembly) put(to *document.Node, name string, line int, value *document.Node, path string) {
	if !to.Add(name, line, value) {
		a.Report(value, path, "is given twice: on its own and in condition or action", "keep one of the two")
	}
}

// instruct uses the prose as the instruction, unless the action already has one.
func (a *assembly) instruct(p prose) {
	if p.instruction == "" {
		return
	}
	if a.action.Field("instruction") != nil {
		a.Report(&document.Node{Line: p.instructionLine}, "action.instruction", "is given both in the fields and in the text", "keep one of the two")
		return
	}
	a.text(a.action, "instruction", p.instructionLine, p.instruction)
}

func impliedCategory(condition *document.Node) guideline.Category {
	if paths := condition.Field("paths"); paths != nil && len(paths.Items) > 0 {
		return guideline.ContextConstraint
	}
	return guideline.Custom
}

// impliedAction returns the action type that the fields imply. The strictest one wins.
func impliedAction(action *document.Node) guideline.ActionType {
	has := func(names ...string) bool { return len(present(action, names...)) > 0 }
	switch {
	case has("tools_allowed", "tools_denied"):
		return guideline.ToolRestriction
	case has("tools_asked", "gate_type", "gate_threshold"):
		return guideline.HITLGate
	case has("max_files", "require_tests", "require_review"):
		return guideline.Constraint
	default:
		return guideline.Instruction
	}
}

// conditionShortcuts returns the fields of a condition that may be written at the top level. paths is handled
// separately, because it has the client's syntax there.
func conditionShortcuts() []string {
	return without(fieldNames(reflect.TypeFor[guideline.Condition]()), "paths")
}

func actionShortcuts() []string {
	return without(fieldNames(reflect.TypeFor[guideline.Action]()), "type", "instruction", "parameters")
}

func without(names []string, excluded ...string) []string {
	return slices.DeleteFunc(names, func(name string) bool { return slices.Contains(excluded, name) })
}

// fieldNames returns the JSON names of a type's fields.
func fieldNames(t reflect.Type) []string {
	var out []string
	for f := range t.Fields() {
		if name, _, _ := strings.Cut(f.Tag.Get("json"), ","); name != "-" {
			out = append(out, name)
		}
	}
	return out
}
