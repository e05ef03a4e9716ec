package service

import (
	"context"

	"guardrails/evaluator"
	"guardrails/guideline"
	"guardrails/hooks/cache"
)

// openToHooks are the fields that only a tool call will tell.
const openToHooks = guideline.FieldPaths | guideline.FieldEvent | guideline.FieldGateType

// query is the request with everything filled in that the session, the settings and the prompt say.
func (s *Service) query(ctx context.Context, h *held, r *Request) *evaluator.Query {
	q := &evaluator.Query{Context: r.Context, Unknown: r.Unknown}
	if r.Hook {
		q.Unknown |= openToHooks
		q.Paths, q.Event, q.GateType = nil, "", ""
	}
	switch {
	case q.Agent != "":
	case r.Hook:
		// A hook has looked at its session's name, which is another one here.
		q.Agent = h.settings.DefaultAgent
	default:
		q.Agent = Agent(s.env, &h.settings)
	}
	q.TenantID = h.settings.Tenant
	q.Metadata = Metadata(&h.settings, r.Metadata)
	if q.Domain != "" && q.Action != "" {
		return q
	}
	said := h.detector.Detect(ctx, r.Prompt)
	if q.Domain == "" {
		q.Domain = said.Domain
	}
	if q.Action == "" {
		q.Action = said.Action
	}
	return q
}

// sessionCache is what the tool calls of a session are judged by.
func (s *Service) sessionCache(h *held, q *evaluator.Query, matches []evaluator.Match) (string, error) {
	body := &cache.Body{
		Context: q.Context, Guidelines: definitions(matches), Strict: h.settings.Strict, TTL: h.settings.CacheTTL, Source: h.source,
	}
	if h.fallback != nil {
		body.Reason = h.fallback.Reason
	}
	holding, _ := h.settings.ExceptionsAt(s.now())
	for _, x := range holding {
		body.Exceptions = append(body.Exceptions, cache.Exception{Guideline: x.Guideline, Tools: x.Tools, Reason: x.Reason, Expires: x.Expires})
	}
	text, err := cache.Encode(body)
	return string(text), err
}
