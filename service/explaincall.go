package service

import (
	"cmp"
	"context"
	"encoding/json"
	"path/filepath"
	"time"

	"guardrails/config"
	"guardrails/decide"
	"guardrails/decide/explain"
	"guardrails/detect/effect"
	"guardrails/detect/toolcall"
	"guardrails/guideline"
	"guardrails/hooks"
	"guardrails/host"
	"guardrails/internal/document"
	"guardrails/internal/private"
	"guardrails/service/fallback"
)

// ToolExplainCall is the name of the tool that calls ExplainCall.
const ToolExplainCall = "guardrails_explain_call"

// CallRequest is a request to judge a tool call and to explain the decision.
type CallRequest struct {
	// Request says who makes the call and in which project. The paths, the event and the gate type are taken from the
	// call.
	Request
	Tool string
	// Input is the JSON object of the tool's arguments.
	Input []byte
	// Cwd is the absolute path of the folder in which the call is made. If it is empty, the call is made in the
	// project's root.
	Cwd string
}

// CallAnswer holds the effects of a tool call, the decision about it, and the reasons.
type CallAnswer struct {
	Success bool `json:"success"`
	*explain.Verdict
	Context guideline.Context `json:"context"`
	// HostKnown is false if the call was judged without looking at the project's files and its state in git.
	HostKnown bool               `json:"host_known"`
	Source    string             `json:"source"`
	Fallback  *fallback.Fallback `json:"fallback,omitempty"`
	Notices   []string           `json:"notices,omitempty"`
}

// ExplainCall judges a tool call as the hooks of a project do, and explains the decision. It does not run the call.
// It looks at files on this computer only if the call is in the service's own project.
func (s *Service) ExplainCall(ctx context.Context, r CallRequest) (*CallAnswer, error) {
	root, err := s.root(&r.Request)
	if err != nil {
		return nil, err
	}
	b, err := s.rulebook(ctx, root, &r.Request)
	if err != nil {
		return nil, err
	}
	q := b.query(ctx, s.env, root, &r.Request)
	for _, in := range q {
		in.query.Paths, in.query.Event, in.query.GateType = nil, "", ""
	}
	own := root == host.Root(s.env, s.dir) && (!r.bound || r.TenantID == b.owner)
	call, facts := s.onThisHost(root, &r, own)
	facts.Now = s.now()
	layers := q.layers(facts.Now)
	return &CallAnswer{
		Success: true, Verdict: explain.Call(layers, call, facts), Context: q.own().Context, HostKnown: own,
		Source: b.source, Fallback: b.fallback, Notices: append(b.notices, b.unknownAgent(q.own())...),
	}, nil
}

// onThisHost returns the effects of a call and the facts that are needed to judge it. It looks at files only if the
// call is in the service's own project (own).
func (s *Service) onThisHost(root string, r *CallRequest, own bool) (*effect.Analysis, decide.Facts) {
	if !own {
		return toolcall.Analyze(&toolcall.Env{}, r.Tool, r.Input), decide.Facts{}
	}
	q := hooks.Question{Root: root, Cwd: cmp.Or(r.Cwd, root), Session: r.SessionID, Tool: r.Tool, Input: r.Input}
	var sessions *private.Dir
	if !s.remote {
		sessions, _ = private.Runtime(s.env) // without it, no session is known
	}
	return q.Look(host.Local(s.env), sessions)
}

// Exceptions returns the exceptions in the settings that apply at the given time.
func Exceptions(c *config.Config, now time.Time) []decide.Exception {
	current, _ := c.ExceptionsAt(now)
	var out []decide.Exception
	for _, x := range current {
		out = append(out, decide.Exception{Guideline: x.Guideline, Tools: x.Tools, Reason: x.Reason, Expires: x.Expires})
	}
	return out
}

// DecodeCall reads the arguments of ToolExplainCall. The error has the type document.Problems.
func DecodeCall(text []byte) (CallRequest, error) {
	n, problems := document.ParseJSON("", text)
	if n == nil {
		return CallRequest{}, numbered(problems)
	}
	d := &document.Decoder{Problems: problems}
	var r CallRequest
	d.Fields(n, "", callFields(), func(name string, n *document.Node, at string) { r.readCall(d, name, n, at) })
	r.checkCall(d, n)
	return r, numbered(d.Problems).Err()
}

func callFields() []document.Spec {
	var out []document.Spec
	for _, name := range []string{
		"tool", "command", "path", "input", "cwd", "agent", "domain", "action", "metadata", "tenant_id", "session_id",
		"prompt", "project", "project_id",
	} {
		out = append(out, document.Spec{Name: name})
	}
	return out
}

func (r *CallRequest) readCall(d *document.Decoder, name string, n *document.Node, at string) {
	if n.Kind == document.Null {
		return
	}
	switch name {
	case "tool":
		r.Tool = anyText(d, n, at)
	case "command":
		r.Input = object("command", anyText(d, n, at))
	case "path":
		r.Input = object("", anyText(d, n, at)) // checkCall names the argument once the tool is known
	case "input":
		r.Input, _ = json.Marshal(d.Map(n, at)) // it was read from JSON
	case "cwd":
		if r.Cwd = anyText(d, n, at); !filepath.IsAbs(r.Cwd) {
			d.Report(n, at, "is not an absolute path", "write the whole path, from the root of the file system")
		}
	default:
		r.read(d, name, n, at)
	}
}

// checkCall fills in the tool and its input for a call that has only a command or a path.
func (r *CallRequest) checkCall(d *document.Decoder, n *document.Node) {
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
		d.Report(n, "", "gives more than one of command, path and input", "keep one")
	case tool == nil && given["command"] != nil:
		r.Tool = "Bash"
	case tool == nil && given["path"] != nil:
		r.Tool = "Write"
	case r.Tool == "":
		d.Report(n, "tool", "is missing", "name the tool, or give a command or a path")
	}
	switch path := given["path"]; {
	case path != nil:
		r.Input = object(toolcall.PathArgument(r.Tool), path.Text)
	case len(given) == 0:
		r.Input = []byte("{}")
	}
}

func object(field, value string) []byte {
	text, _ := json.Marshal(map[string]string{field: value}) // a map of strings always encodes
	return text
}
