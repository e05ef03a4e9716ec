package service

import (
	"cmp"
	"context"
	"time"

	"guardrails/config"
	"guardrails/decide"
	"guardrails/decide/explain"
	"guardrails/detect/effect"
	"guardrails/detect/toolcall"
	"guardrails/guideline"
	"guardrails/hooks"
	"guardrails/host"
	"guardrails/internal/private"
	"guardrails/service/fallback"
)

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
	// Mode is the permission mode of the client. If it is empty, the mode is not known.
	Mode string
	// Headless is set if no person can answer questions.
	Headless bool
	// Subagent is the client's id of the subagent that makes the call, or "".
	Subagent string
}

// DefaultMode is the permission mode that the client has at its start. Callers that do not know the mode assume this
// mode.
const DefaultMode = "default"

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

// onThisHost returns the effects of a call, such as the files that it writes, and the other facts that are needed to
// judge the call. It looks at files only if the parameter "own" is set, because the call is then in the service's own
// project.
func (s *Service) onThisHost(root string, r *CallRequest, own bool) (*effect.Analysis, decide.Facts) {
	if !own {
		return toolcall.Analyze(&toolcall.Env{}, r.Tool, r.Input),
			decide.Facts{PermissionMode: r.Mode, Headless: &r.Headless}
	}
	q := hooks.Question{
		Root: root, Cwd: cmp.Or(r.Cwd, root), Session: r.SessionID, Agent: r.Subagent, Tool: r.Tool, Input: r.Input,
		Mode: r.Mode, Headless: r.Headless,
	}
	if !s.remote {
		q.Dir, q.Err = private.Runtime(s.env)
	}
	return q.Look(host.Local(s.env))
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
