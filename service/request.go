package service

import (
	"fmt"
	"slices"

	"guardrails/guideline"
	"guardrails/guideline/document"
)

// ToolGetContext is the name under which GetContext is called by other programs.
const ToolGetContext = "guardrails_get_context"

// DecodeRequest reads the arguments of ToolGetContext. The error is document.Problems: everything that is wrong with
// them at once.
func DecodeRequest(text []byte) (Request, error) {
	n, problems := document.ParseJSON("", text)
	if n == nil {
		return Request{}, numbered(problems)
	}
	d := &document.Decoder{Problems: problems}
	var r Request
	task := &document.Node{Kind: document.Object, Line: n.Line}
	specs := []document.Spec{
		{Name: "prompt", Read: optional(func(n *document.Node, at string) { r.Prompt = anyText(d, n, at) })},
		{Name: "project", Read: optional(func(n *document.Node, at string) { r.Project = anyText(d, n, at) })},
		{Name: "choice", Read: optional(func(n *document.Node, at string) { r.Choice = d.Choice(n, at, []string{ChoiceStatic, ChoiceOpen}) })},
		{Name: "hook", Read: optional(func(n *document.Node, at string) { r.Hook = d.Bool(n, at) })},
		{Name: "environment", Read: optional(func(n *document.Node, at string) { r.Environment = variables(d, n, at) })},
		{Name: "definitions", Read: optional(func(n *document.Node, at string) { r.Definitions = d.Bool(n, at) })},
	}
	// The fields of the task are read by its own decoder; here they are only known.
	known := make([]document.Spec, 0, len(specs)+10)
	for _, name := range slices.Concat(guideline.FieldNames(), []string{"tenant_id", "session_id", "unknown"}) {
		known = append(known, document.Spec{Name: name, Read: func(n *document.Node, _ string) { task.Add(name, n.Line, n) }})
	}
	if d.Object(n, "", append(known, specs...)) {
		r.Context, r.Unknown = guideline.DecodeContext(d, task, "")
	}
	return r, numbered(d.Problems).Err()
}

func optional(read func(*document.Node, string)) func(*document.Node, string) {
	return func(n *document.Node, at string) {
		if n.Kind != document.Null {
			read(n, at)
		}
	}
}

// anyText takes a text as it is: what people type and what folders are called may hold anything.
func anyText(d *document.Decoder, n *document.Node, at string) string {
	if n.Kind != document.String {
		d.Report(n, at, fmt.Sprintf("is %s where a string is expected", n.Kind), "write a string")
		return ""
	}
	return n.Text
}

// numbered leaves out the lines of a document that is all on one.
func numbered(problems document.Problems) document.Problems {
	for _, p := range problems {
		if p.Line > 1 {
			return problems
		}
	}
	for i := range problems {
		problems[i].Line = 0
	}
	return problems
}
