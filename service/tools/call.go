package tools

import (
	"cmp"
	"encoding/json"
	"path/filepath"

	"guardrails/detect/toolcall"
	"guardrails/internal/document"
	"guardrails/service"
)

// DecodeCall reads the arguments of ExplainCall. The error has the type document.Problems.
func DecodeCall(text []byte) (service.CallRequest, error) {
	n, problems := document.ParseJSON("", text)
	if n == nil {
		return service.CallRequest{}, problems.Numbered()
	}
	d := &document.Decoder{Problems: problems}
	var r service.CallRequest
	d.Fields(n, "", callFields(), func(name string, n *document.Node, at string) { readCall(&r, d, name, n, at) })
	completeCall(&r, d, n, "")
	return r, d.Problems.Numbered().Err()
}

// ReadCall reads a tool call from a part of a document.
func ReadCall(d *document.Decoder, n *document.Node, at string) service.CallRequest {
	var r service.CallRequest
	d.Fields(n, at, callFields(), func(name string, n *document.Node, at string) { readCall(&r, d, name, n, at) })
	completeCall(&r, d, n, at)
	return r
}

func callFields() []document.Spec {
	var out []document.Spec
	for _, name := range []string{
		"tool", "command", "path", "input", "cwd", "permission_mode", "headless", "agent", "domain", "action", "metadata",
		"tenant_id", "session_id", "prompt", "project", "project_id",
	} {
		out = append(out, document.Spec{Name: name})
	}
	return out
}

// readCall reads one field of a call.
func readCall(r *service.CallRequest, d *document.Decoder, name string, n *document.Node, at string) {
	if n.Kind == document.Null {
		return
	}
	switch name {
	case "tool":
		r.Tool = d.Text(n, at)
	case "command":
		r.Input = object("command", d.Text(n, at))
	case "path":
		r.Input = object("", d.Text(n, at)) // completeCall sets the name of the argument once the tool is known
	case "input":
		r.Input, _ = json.Marshal(d.Map(n, at)) // the value was read from JSON
	case "cwd":
		if r.Cwd = d.Text(n, at); !filepath.IsAbs(r.Cwd) {
			d.Report(n, at, "is not an absolute path", "write the whole path, from the root of the file system")
		}
	case "permission_mode":
		r.Mode = d.Text(n, at)
	case "headless":
		r.Headless = d.Bool(n, at)
	default:
		readRequest(&r.Request, d, name, n, at)
	}
}

// completeCall fills in the tool and its input for a call that has only a command or a path, and the permission mode for
// a call without one.
func completeCall(r *service.CallRequest, d *document.Decoder, n *document.Node, at string) {
	r.Mode = cmp.Or(r.Mode, service.DefaultMode)
	given := map[string]*document.Node{}
	for _, name := range []string{"tool", "command", "path", "input"} {
		if field := n.Field(name); field != nil && field.Kind != document.Null {
			given[name] = field
		}
	}
	tool := given["tool"]
	delete(given, "tool")
	switch {
	case len(given) > 1:
		d.Report(n, at, "gives more than one of command, path and input", "keep one")
	case tool == nil && given["command"] != nil:
		r.Tool = "Bash"
	case tool == nil && given["path"] != nil:
		r.Tool = "Write"
	case r.Tool == "":
		d.Report(n, document.Join(at, "tool"), "is missing", "name the tool, or give a command or a path")
	}
	switch path := given["path"]; {
	case path != nil:
		r.Input = object(toolcall.PathArgument(r.Tool), path.Text)
	case len(given) == 0:
		r.Input = []byte("{}")
	}
}

func object(field, value string) []byte {
	text, _ := json.Marshal(map[string]string{field: value}) // a map of strings can always be encoded
	return text
}
