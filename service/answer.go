package service

import (
	"context"
	"slices"

	"guardrails/evaluator"
	"guardrails/guideline"
	"guardrails/host"
	"guardrails/internal/document"
	"guardrails/service/fallback"
	"guardrails/service/inject"
)

// openToHooks are the fields of a task that are unknown until a tool is called.
const openToHooks = guideline.FieldPaths | guideline.FieldEvent | guideline.FieldGateType

// query returns the task, completed from the settings, the session and the prompt.
func (b *rulebook) query(ctx context.Context, env func(string) string, root string, r *Request) *evaluator.Query {
	q := &evaluator.Query{Context: r.Context, Unknown: r.Unknown, OpenFacts: true}
	q.Paths = RelativePaths(root, r.Paths)
	if r.Hook {
		q.Unknown |= openToHooks
		q.Paths, q.Event, q.GateType = nil, "", ""
	}
	switch {
	case q.Agent != "":
	case r.Hook:
		// The hook has already checked its own environment. The service may run in the environment of another session.
		q.Agent = b.settings.DefaultAgent
	default:
		q.Agent = host.Agent("", env, b.settings.DefaultAgent)
	}
	q.TenantID = b.settings.Tenant
	q.Metadata = Metadata(&b.settings, r.Metadata)
	if q.Domain != "" && q.Action != "" {
		return q
	}
	said := b.detector.Detect(ctx, r.Prompt)
	if q.Domain == "" {
		q.Domain = said.Domain
	}
	if q.Action == "" {
		q.Action = said.Action
	}
	return q
}

// unknownAgent returns a notice if no guideline names the agent of a query: its name is probably mistyped.
func (b *rulebook) unknownAgent(q *evaluator.Query) []string {
	if q.Agent == "" || q.Unknown.Has(guideline.FieldAgent) {
		return nil
	}
	named := false
	for i := range b.guidelines {
		g := &b.guidelines[i]
		if g.TenantID != "" && g.TenantID != q.TenantID {
			continue // guidelines of other tenants are not for this caller
		}
		if slices.Contains(g.Condition.Agents, q.Agent) {
			return nil
		}
		named = named || len(g.Condition.Agents) > 0
	}
	if !named {
		return nil
	}
	return []string{"no guideline names the agent " + document.Excerpt(q.Agent)}
}

// answer evaluates a query.
func (s *Service) answer(b *rulebook, q *evaluator.Query, r *Request) (a *Answer, err error) {
	a = &Answer{Result: *b.set.Evaluate(q), Context: q.Context, Source: b.source, Fallback: b.fallback, Notices: b.notices}
	if !r.Hook && !r.Definitions {
		return a, nil
	}
	matches := b.set.Match(q, nil)
	if r.Definitions {
		a.Definitions = definitions(matches)
	}
	if r.Hook {
		a.Injection = b.injection(q, matches, a.ToolsAllowed, r.Prompt)
		a.SessionCache, err = s.sessionCache(b, q, r, matches)
	}
	return a, err
}

// injection writes the text for the model.
func (b *rulebook) injection(q *evaluator.Query, matches []evaluator.Match, allowed []string, prompt string) string {
	in := &inject.Input{Query: q, Matches: matches, Allowed: allowed, Remark: remark(b.source), Silent: b.silent}
	if !q.Unknown.Has(guideline.FieldAgent) {
		in.Roles = b.roles.Suggested(q.Agent, prompt)
		in.Suggested = inject.ForRoles(b.set, q, in.Roles)
	}
	return inject.Text(in)
}

// remark returns a sentence about the source of the guidelines if they are not the project's current ones.
func remark(source string) string {
	switch source {
	case fallback.SourceSnapshot:
		return "They are the last known good ones: the current ones cannot be read or reached at the moment."
	case fallback.SourceStatic:
		return "They are the readable part of the project's guidelines, with the core pack."
	}
	return ""
}

func definitions(matches []evaluator.Match) []guideline.Guideline {
	out := make([]guideline.Guideline, len(matches))
	for i := range matches {
		out[i] = *matches[i].Guideline
	}
	return out
}
