package service

import (
	"fmt"

	"guardrails/guideline"
	"guardrails/internal/document"
	"guardrails/service/fallback"
)

// ToolGetContext is the name of the tool that calls GetContext.
const ToolGetContext = "guardrails_get_context"

// DecodeRequest reads the arguments of ToolGetContext. The error has the type document.Problems and lists all
// mistakes.
func DecodeRequest(text []byte) (Request, error) {
	n, problems := document.ParseJSON("", text)
	if n == nil {
		return Request{}, numbered(problems)
	}
	d := &document.Decoder{Problems: problems}
	var r Request
	d.Fields(n, "", requestFields(), func(name string, n *document.Node, at string) { r.read(d, name, n, at) })
	return r, numbered(d.Problems).Err()
}

// RequestFields returns the names of the arguments that DecodeRequest reads.
func RequestFields() []string {
	var names []string
	for _, spec := range requestFields() {
		names = append(names, spec.Name)
	}
	return names
}

func requestFields() []document.Spec {
	return append(guideline.ContextFields(),
		document.Spec{Name: "prompt"}, document.Spec{Name: "project"}, document.Spec{Name: "project_id"},
		document.Spec{Name: "choice"},
		document.Spec{Name: "hook"}, document.Spec{Name: "main_thread"}, document.Spec{Name: "tasks"},
		document.Spec{Name: "environment"}, document.Spec{Name: "definitions"},
		document.Spec{Name: "typed"}, document.Spec{Name: "agent_id"}, document.Spec{Name: "calls"},
		document.Spec{Name: "answer"}, document.Spec{Name: "again"}, document.Spec{Name: "display"})
}

func (r *Request) read(d *document.Decoder, name string, n *document.Node, at string) {
	if n.Kind == document.Null {
		return
	}
	switch name {
	case "prompt":
		r.Prompt = anyText(d, n, at)
	case "project":
		r.Project = anyText(d, n, at)
	case "project_id":
		r.ProjectID = d.String(n, at, false)
	case "choice":
		r.Choice = d.Choice(n, at, []string{fallback.ChoiceStatic, fallback.ChoiceOpen})
	case "hook":
		r.Hook = d.Bool(n, at)
	case "display":
		r.Display = anyText(d, n, at)
	case "main_thread":
		r.MainThread = d.Bool(n, at)
	case "tasks":
		r.Tasks = decodeTasks(d, n, at)
	case "environment":
		r.Environment = decodeEnvironment(d, n, at)
	case "definitions":
		r.Definitions = d.Bool(n, at)
	case "typed":
		r.Typed = anyText(d, n, at)
	case "agent_id":
		r.AgentID = anyText(d, n, at)
	case "calls":
		r.Calls = anyText(d, n, at)
	case "answer":
		r.Answer = anyText(d, n, at)
	case "again":
		r.Again = d.Bool(n, at)
	default:
		guideline.DecodeContextField(d, name, n, at, &r.Context, &r.Unknown)
	}
}

func decodeTasks(d *document.Decoder, n *document.Node, at string) []Task {
	if n.Kind != document.List {
		d.Report(n, at, "is "+n.Kind.String()+" where a list is expected", "write a list")
		return nil
	}
	out := make([]Task, len(n.Items))
	for i, item := range n.Items {
		d.Object(item, document.Index(at, i), []document.Spec{
			{Name: "domain", Read: func(n *document.Node, at string) { out[i].Domain = anyText(d, n, at) }},
			{Name: "action", Read: func(n *document.Node, at string) { out[i].Action = anyText(d, n, at) }},
		})
	}
	return out
}

func optional(read func(*document.Node, string)) func(*document.Node, string) {
	return func(n *document.Node, at string) {
		if n.Kind != document.Null {
			read(n, at)
		}
	}
}

// anyText returns the node's string without checking its characters. Prompts and folder names may contain any
// characters.
func anyText(d *document.Decoder, n *document.Node, at string) string {
	if n.Kind != document.String {
		d.Report(n, at, fmt.Sprintf("is %s where a string is expected", n.Kind), "write a string")
		return ""
	}
	return n.Text
}

// numbered removes all line numbers if the document has only one line, because they would all be 1.
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
