package service

import (
	"cmp"
	"context"
	"slices"
	"time"

	"guardrails/decide"
	"guardrails/evaluator"
	"guardrails/guideline"
	"guardrails/host"
	"guardrails/internal/document"
	"guardrails/service/fallback"
	"guardrails/service/inject"
)

// openToHooks contains the fields that have no value yet when a hook requests guidelines, because no tool has been
// called.
const openToHooks = guideline.FieldPaths | guideline.FieldEvent | guideline.FieldGateType

// A question has one query for each layer, because each layer fills in missing fields from its own settings. If a layer
// has two possible agents, it has two queries.
type question []asked

type asked struct {
	layer *layer
	query *evaluator.Query
}

func (q question) own() *evaluator.Query { return q[len(q)-1].query }

// parts() returns each query with the guidelines of its layer.
func (q question) parts() []evaluator.Part {
	var out []evaluator.Part
	for _, a := range q {
		out = append(out, evaluator.Part{Set: a.layer.set, Query: a.query})
	}
	return out
}

// layers() returns the layers in the form in which the package "decide" needs them to judge a call.
func (q question) layers(now time.Time) []decide.Layer {
	var out []decide.Layer
	for _, a := range q {
		out = append(out, decide.Layer{
			Set: a.layer.set, Context: a.query.Context, Exceptions: a.layer.exceptions(now),
			TestCommands: a.layer.TestCommands,
		})
	}
	return out
}

// query() builds the queries of all layers from a request. Each layer adds its own settings.
func (b *rulebook) query(ctx context.Context, env func(string) string, root string, r *Request) question {
	common := &evaluator.Query{Context: r.Context, Unknown: r.Unknown, OpenFacts: true}
	common.Paths = RelativePaths(root, r.Paths)
	common.TenantID = b.settings.Tenant
	agent := ""
	if r.Hook {
		// The hook has already looked for the agent in its own environment. Do not look for the agent here, because this
		// process can have the environment of another session.
		common.Unknown |= openToHooks
		common.Paths, common.Event, common.GateType = nil, "", ""
	} else {
		agent = host.Agent("", env, "")
	}
	var out question
	for i := range b.layers {
		l := &b.layers[i]
		named := l.task(ctx, common, r, agent)
		if usual := *common; r.MainThread && i+1 < len(b.layers) && named.Agent != l.DefaultAgent {
			usual.Agent = l.DefaultAgent
			out = append(out, asked{l, l.task(ctx, &usual, r, "")})
		}
		out = append(out, asked{l, named})
	}
	out.remember(r.Tasks)
	return out
}

// remember() fills in an empty domain or action of each query from the task of the last prompt. The parameter "tasks"
// normally has one task for each query. If the number of queries has changed since that prompt, the last query gets the
// last task, and every other query gets the first task. The last query is the query of the project.
func (q question) remember(tasks []Task) {
	for i := range q {
		n := i
		switch {
		case len(tasks) == 0:
			return
		case len(tasks) != len(q) && i+1 == len(q):
			n = len(tasks) - 1
		case len(tasks) != len(q):
			n = 0
		}
		to := q[i].query
		to.Domain, to.Action = cmp.Or(to.Domain, tasks[n].Domain), cmp.Or(to.Action, tasks[n].Action)
	}
}

// unknownAgent returns a notice if guidelines name agents, but no guideline names the agent of the query. In this case,
// the agent's name is probably mistyped.
func (b *rulebook) unknownAgent(q *evaluator.Query) []string {
	if q.Agent == "" || q.Unknown.Has(guideline.FieldAgent) {
		return nil
	}
	named := false
	for g := range b.guidelines() {
		if g.TenantID != "" && g.TenantID != q.TenantID {
			continue // this caller must not learn about guidelines of other tenants
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

func (s *Service) answer(b *rulebook, q question, r *Request) (*Answer, error) {
	a := &Answer{
		Success: true, Context: q.own().Context, Source: b.source, Fallback: b.fallback, Notices: b.notices, Ignored: b.ignored,
	}
	if r.Definitions {
		a.Definitions = definitions(evaluator.MatchAll(q.parts()))
	}
	if !r.Hook {
		a.Result = evaluator.EvaluateAll(q.parts())
		a.Count = a.Result.Count
		return a, nil
	}
	found, err := s.hookAnswer(b, q, r)
	if err != nil {
		return nil, err
	}
	a.Count, a.Injection, a.SessionCache = found.count, found.injection, found.cache
	return a, nil
}

// rolesIn returns the roles that a prompt suggests.
func (b *rulebook) rolesIn(q question, prompt string) []string {
	own := q.own()
	if own.Unknown.Has(guideline.FieldAgent) {
		return nil
	}
	return b.roles.Suggested(own.Agent, prompt)
}

func (b *rulebook) injection(q question, matches []evaluator.Match, roles []string) string {
	matches = slices.DeleteFunc(slices.Clone(matches), onlyReacts) // the model gets these guidelines when a detector notices something
	in := &inject.Input{
		Query: q.own(), Matches: matches, Allowed: evaluator.EvaluateAll(q.parts()).ToolsAllowed, Remark: remark(b.source), Silent: b.silent,
		Roles: roles,
	}
	if len(roles) > 0 {
		for _, a := range q {
			in.Suggested = append(in.Suggested, inject.ForRoles(a.layer.set, a.query, roles)...)
		}
	}
	return inject.Text(in)
}

// remark() returns a sentence that says where the guidelines come from. It returns "" if they are the project's current
// guidelines.
func remark(source string) string {
	switch source {
	case fallback.SourceSnapshot:
		return "They are the last known good guidelines, because the current ones cannot be read or reached at the moment."
	case fallback.SourceStatic:
		return "They are the readable part of the project's guidelines, and the core pack."
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
