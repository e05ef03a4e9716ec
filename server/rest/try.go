package rest

import (
	"net/http"

	"guardrails/guideline"
	"guardrails/internal/document"
	"guardrails/service"
	"guardrails/service/tools"
)

// maxDraft is the largest number of guidelines in a draft.
const maxDraft = 1000

const fewer = "name fewer guidelines at once"

// A trial with a draft is answered twice: with the saved guidelines, and with the guidelines after the draft was
// applied. The type "side" is one of these answers.
type side struct {
	Evaluated *evaluated `json:"evaluated,omitempty"`
	Explained *explained `json:"explained,omitempty"`
	Call      *judged    `json:"call,omitempty"`
}

// The type "trial" is what a caller wants to try: a task, a tool call or both, with a draft or without one.
type trial struct {
	task  *service.Request
	call  *service.CallRequest
	draft service.Draft
}

func (c *call) preview() error {
	t, err := c.trial()
	if err != nil {
		return err
	}
	saved, err := c.try(t, nil)
	if err != nil {
		return err
	}
	var changed *side
	if len(t.draft.Guidelines)+len(t.draft.Remove) > 0 {
		if changed, err = c.try(t, &t.draft); err != nil {
			return err
		}
	}
	return c.say(http.StatusOK, struct {
		Saved *side `json:"saved"`
		Draft *side `json:"draft,omitempty"`
	}{saved, changed})
}

// trial() reads from the body what the caller wants to try.
func (c *call) trial() (*trial, error) {
	n, d, err := c.object()
	if err != nil {
		return nil, err
	}
	t := &trial{}
	d.Object(n, "", append(draftFields(d, &t.draft), []document.Spec{
		{Name: "context", Read: unlessNull(func(n *document.Node, at string) {
			r := tools.ReadTask(d, n, at)
			t.task = &r
		})},
		{Name: "call", Read: unlessNull(func(n *document.Node, at string) {
			r := tools.ReadCall(d, n, at)
			t.call = &r
		})},
	}...))
	if len(d.Problems) == 0 && t.task == nil && t.call == nil {
		d.Report(n, "", "must have a context or a call", "give one of them or both")
	}
	for i := range t.draft.Guidelines {
		if err := c.usable(d.Problems, &t.draft.Guidelines[i]); err != nil {
			return nil, err
		}
	}
	if len(d.Problems) > 0 {
		return nil, invalid(d.Problems)
	}
	return t, c.bindTrial(t)
}

// bindTrial sets the tenant of a trial to the caller's tenant.
func (c *call) bindTrial(t *trial) error {
	for i := range t.draft.Guidelines {
		t.draft.Guidelines[i].TenantID = ""
	}
	if t.task != nil {
		if err := c.bind(t.task); err != nil {
			return err
		}
	}
	if t.call != nil {
		return c.bind(&t.call.Request)
	}
	return nil
}

// unlessNull returns a function that reads a field unless it is null.
func unlessNull(read func(*document.Node, string)) func(*document.Node, string) {
	return func(n *document.Node, at string) {
		if n.Kind != document.Null {
			read(n, at)
		}
	}
}

// draftOf reads the guidelines of a draft.
func draftOf(d *document.Decoder, n *document.Node, at string) []guideline.Guideline {
	if !d.UpTo(n, at, maxDraft, fewer) {
		return nil
	}
	out := make([]guideline.Guideline, len(n.Items))
	for i, item := range n.Items {
		out[i] = guideline.Decode(d, item, document.Index(at, i))
	}
	return out
}

// try() answers a trial with the saved guidelines. If the parameter "draft" is not nil, it applies this draft first.
func (c *call) try(t *trial, draft *service.Draft) (*side, error) {
	out := &side{}
	var err error
	if t.task != nil {
		r := *t.task
		r.Draft = draft
		if out.Evaluated, err = c.evaluated(r); err != nil {
			return nil, err
		}
		if out.Explained, err = c.whyApplied(r); err != nil {
			return nil, err
		}
	}
	if t.call != nil {
		r := *t.call
		r.Draft = draft
		out.Call, err = c.judged(r)
	}
	return out, err
}
