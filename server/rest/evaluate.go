package rest

import (
	"net/http"
	"slices"

	"guardrails/decide/explain"
	"guardrails/evaluator"
	"guardrails/guideline"
	"guardrails/internal/document"
	"guardrails/service"
	"guardrails/service/fallback"
	"guardrails/service/tools"
)

// question() reads the description of a task from the body.
func (c *call) question() (service.Request, error) {
	text, err := c.read()
	if err != nil {
		return service.Request{}, err
	}
	r, err := tools.DecodeExplain(text)
	if err != nil {
		return r, err
	}
	return r, c.bind(&r)
}

// bind() sets the tenant of a request to the caller's tenant.
func (c *call) bind(r *service.Request) error {
	if r.Project != "" {
		return document.Problems{{
			Path: "project", Message: "is not an argument here",
			Remedy: "remove it; the guidelines are those of the token's tenant",
		}}
	}
	if r.TenantID != "" && r.TenantID != c.caller.Tenant {
		return otherTenant(r.TenantID)
	}
	r.TenantID = c.caller.Tenant
	return nil
}

// wrongTenant returns the error for a caller whose token has no tenant, while the server's own folder has a tenant.
func wrongTenant() error {
	return forbidden("the server's folder belongs to a tenant, but the token belongs to none; use a token of that tenant")
}

// The type "applied" describes a guideline that applies to a task, or may apply to it.
type applied struct {
	view
	MatchedFields []string `json:"matched_fields"`
	// Residual is the part of the condition that depends on unknown values.
	Residual *guideline.Condition `json:"residual,omitempty"`
}

// The type "evaluated" lists the guidelines that apply to a task.
type evaluated struct {
	Matching            []applied             `json:"matching_guidelines"`
	CombinedInstruction string                `json:"combined_instruction"`
	ToolsAllowed        []string              `json:"tools_allowed"`
	ToolsDenied         []string              `json:"tools_denied"`
	ToolsAsked          []string              `json:"tools_asked"`
	GatesRequired       []evaluator.Gate      `json:"gates_required"`
	Constraints         evaluator.Constraints `json:"constraints"`
	Omitted             []string              `json:"omitted,omitempty"`
	origin
}

// The type "origin" is a part of an answer: the evaluated task with its default values, and the source of the
// guidelines.
type origin struct {
	Context  guideline.Context  `json:"context"`
	Source   string             `json:"source"`
	Fallback *fallback.Fallback `json:"fallback,omitempty"`
	Notices  []string           `json:"notices,omitempty"`
}

func (c *call) evaluate() error {
	r, err := c.question()
	if err != nil {
		return err
	}
	out, err := c.evaluated(r)
	if err != nil {
		return err
	}
	return c.say(http.StatusOK, out)
}

func (c *call) evaluated(r service.Request) (*evaluated, error) {
	r.Definitions = true
	a, err := c.h.o.Service.GetContext(c.r.Context(), r)
	if err != nil {
		return nil, err
	}
	if a.Context.TenantID != c.caller.Tenant {
		return nil, wrongTenant()
	}
	out := &evaluated{
		[]applied{},
		a.CombinedInstruction, a.ToolsAllowed, a.ToolsDenied, a.ToolsAsked, a.GatesRequired, a.Constraints, a.Omitted,
		origin{a.Context, a.Source, a.Fallback, a.Notices},
	}
	for i := range a.Definitions {
		out.Matching = append(out.Matching, applied{
			viewOf(&a.Definitions[i]), a.Guidelines[i].MatchedFields,
			a.Guidelines[i].Residual,
		})
	}
	return out, nil
}

// The type "explained" says why each guideline applies or does not apply.
type explained struct {
	Guidelines []evaluator.Explained `json:"guidelines"`
	origin
}

func (c *call) explain() error {
	r, err := c.question()
	if err != nil {
		return err
	}
	out, err := c.whyApplied(r)
	if err != nil {
		return err
	}
	return c.say(http.StatusOK, out)
}

func (c *call) whyApplied(r service.Request) (*explained, error) {
	e, err := c.h.o.Service.Explain(c.r.Context(), r)
	if err != nil {
		return nil, err
	}
	if e.Context.TenantID != c.caller.Tenant {
		return nil, wrongTenant()
	}
	// A caller must not learn that other tenants have guidelines.
	own := slices.DeleteFunc(slices.Clone(e.Guidelines),
		func(g evaluator.Explained) bool { return g.Outcome == evaluator.OtherTenant })
	return &explained{own, origin{e.Context, e.Source, e.Fallback, e.Notices}}, nil
}

func (c *call) explainCall() error {
	text, err := c.read()
	if err != nil {
		return err
	}
	r, err := tools.DecodeCall(text)
	if err != nil {
		return err
	}
	if err := c.bind(&r.Request); err != nil {
		return err
	}
	out, err := c.judged(r)
	if err != nil {
		return err
	}
	return c.say(http.StatusOK, out)
}

// The type "judged" is the decision about a tool call.
type judged struct {
	*explain.Verdict
	HostKnown bool `json:"host_known"`
	origin
}

func (c *call) judged(r service.CallRequest) (*judged, error) {
	a, err := c.h.o.Service.ExplainCall(c.r.Context(), r)
	if err != nil {
		return nil, err
	}
	if a.Context.TenantID != c.caller.Tenant {
		return nil, wrongTenant()
	}
	// A caller must not learn which guidelines other tenants have.
	a.Explanation.Guidelines = slices.DeleteFunc(a.Explanation.Guidelines,
		func(p explain.Part) bool { return p.Outcome == explain.OtherTenant })
	return &judged{a.Verdict, a.HostKnown, origin{a.Context, a.Source, a.Fallback, a.Notices}}, nil
}
