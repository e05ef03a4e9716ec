package tools

import (
	"fmt"

	"guardrails/guideline"
	"guardrails/internal/document"
	"guardrails/internal/product"
	"guardrails/service"
	"guardrails/service/fallback"
)

// DecodeRequest reads the arguments of GetContext. The error has the type document.Problems and lists all
// mistakes.
func DecodeRequest(text []byte) (service.Request, error) {
	n, problems := document.ParseJSON("", text)
	if n == nil {
		return service.Request{}, problems.Numbered()
	}
	d := &document.Decoder{Problems: problems}
	var r service.Request
	d.Fields(n, "", requestFields(), func(name string, n *document.Node, at string) { readRequest(&r, d, name, n, at) })
	return r, d.Problems.Numbered().Err()
}

// ReadTask reads the description of a task from a part of a document.
func ReadTask(d *document.Decoder, n *document.Node, at string) service.Request {
	var r service.Request
	specs := append(guideline.ContextFields(), document.Spec{Name: "prompt"}, document.Spec{Name: "project_id"})
	d.Fields(n, at, specs, func(name string, n *document.Node, at string) { readRequest(&r, d, name, n, at) })
	return r
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

// readRequest reads one field of a request.
func readRequest(r *service.Request, d *document.Decoder, name string, n *document.Node, at string) {
	if n.Kind == document.Null {
		return
	}
	switch name {
	case "prompt":
		r.Prompt = d.Text(n, at)
	case "project":
		r.Project = d.Text(n, at)
	case "project_id":
		r.ProjectID = guideline.DecodeProjectID(d, n, at)
	case "choice":
		r.Choice = d.Choice(n, at, []string{fallback.ChoiceStatic, fallback.ChoiceOpen})
	case "hook":
		r.Hook = d.Bool(n, at)
	case "display":
		r.Display = d.Text(n, at)
	case "main_thread":
		r.MainThread = d.Bool(n, at)
	case "tasks":
		r.Tasks = decodeTasks(d, n, at)
	case "environment":
		r.Environment = decodeEnvironment(d, n, at)
	case "definitions":
		r.Definitions = d.Bool(n, at)
	case "typed":
		r.Typed = d.Text(n, at)
	case "agent_id":
		r.AgentID = d.Text(n, at)
	case "calls":
		r.Calls = d.Text(n, at)
	case "answer":
		r.Answer = d.Text(n, at)
	case "again":
		r.Again = d.Bool(n, at)
	default:
		guideline.DecodeContextField(d, name, n, at, &r.Context, &r.Unknown)
	}
}

func decodeTasks(d *document.Decoder, n *document.Node, at string) []service.Task {
	if !d.Expect(n, at, document.List) {
		return nil
	}
	out := make([]service.Task, len(n.Items))
	for i, item := range n.Items {
		d.Object(item, document.Index(at, i), []document.Spec{
			{Name: "domain", Read: func(n *document.Node, at string) { out[i].Domain = d.Text(n, at) }},
			{Name: "action", Read: func(n *document.Node, at string) { out[i].Action = d.Text(n, at) }},
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

func decodeEnvironment(d *document.Decoder, n *document.Node, at string) map[string]string {
	if n.Kind != document.Object {
		d.Report(n, at, fmt.Sprintf("is %s where an object is expected", n.Kind), "write an object")
		return nil
	}
	out := map[string]string{}
	for _, f := range n.Fields {
		path := document.Join(at, f.Name)
		if !product.IsSetting(f.Name) && !product.IsLocation(f.Name) {
			d.Report(f.Value, path, "is not the variable of a setting",
				"remove it; the variables of settings begin with "+product.VariablePrefix)
			continue
		}
		out[f.Name] = d.Text(f.Value, path)
	}
	return out
}
