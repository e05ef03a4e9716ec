package rest

import (
	"encoding/json"
	"net/http"
	"slices"

	"guardrails/internal/document"
	"guardrails/server/access"
	"guardrails/server/rest/query"
	"guardrails/service"
	"guardrails/service/replay"
	"guardrails/store"
)

// callsParameter is the name of the parameter that limits the number of calls in a replay.
const callsParameter = "calls"

func replayRoutes() []route {
	return []route{{
		method: http.MethodPost, path: base + "/replay", name: "replay_calls", role: access.Read,
		summary: "Judge recorded calls again",
		about: "Judges recorded calls again with the saved guidelines and a draft, and says which calls would be decided " +
			"differently. The parameters select the recorded decisions. Without `date_from`, only decisions of the " +
			"last 24 hours are selected. The answer has one JSON object per line. The last line contains the result. The " +
			"lines before it report the progress. Calls that cannot be judged again are counted by reason. Nothing is saved, " +
			"and no call runs.",
		parameters: slices.Concat(filtersOfCalls(), []query.Parameter{{
			Name: callsParameter, Kind: query.Number, Low: 1, High: replay.MaxCalls,
			About: "The largest number of calls that are judged; the default is 20,000",
		}}),
		body: &body{schema: "ReplayRequest", most: maxOne}, limit: unlimited,
		serve: (*call).limitedReplay,
		answers: []answer{{
			status: http.StatusOK, about: "The progress, and then the result", schema: "ReplayLine", types: []string{typeLines},
		}},
	}}
}

// filtersOfCalls returns the filters of the audit that can select calls. It leaves out the filter "kind", because all
// calls have the same kind.
func filtersOfCalls() []query.Parameter {
	return slices.DeleteFunc(auditFilters(), func(p query.Parameter) bool { return p.Name == "kind" })
}

// replayLine is one line of the answer.
type replayLine struct {
	Type string `json:"type"`
	// Total is the number of entries of the audit that match the filter.
	Total int `json:"total"`
	*replay.Report
}

// limitedReplay replays calls. If too many replays are running already, it returns an error. A replay may take minutes,
// so replays have a limit of their own.
func (c *call) limitedReplay() error {
	if !c.h.replays.Enter(c.caller) {
		return busy("too many replays run; try again later")
	}
	defer c.h.replays.Leave(c.caller)
	return c.replay()
}

func (c *call) replay() error {
	draft, err := c.replayDraft()
	if err != nil {
		return err
	}
	tenantStore, err := c.auditStore()
	if err != nil {
		return err
	}
	filter := c.auditFilter()
	if filter.Kind = store.KindDecision; filter.From.IsZero() {
		filter.From = c.h.o.Now().Add(-service.ReplaySince)
	}
	page, err := tenantStore.Audit(c.r.Context(), store.AuditQuery{AuditFilter: filter, Paging: store.Paging{Size: 1}})
	if err != nil {
		return err
	}
	s := c.begin(typeLines, "")
	say := func(kind string, r *replay.Report) error {
		line := *r
		if kind == "progress" {
			line.Groups = []replay.Group{}
		}
		if err := json.NewEncoder(s).Encode(replayLine{kind, page.Total, &line}); err != nil {
			return err
		}
		return s.flush()
	}
	ctx := service.ForTenant(c.r.Context(), c.caller.Tenant)
	report, err := c.h.o.Service.Replay(ctx, tenantStore.Entries(c.r.Context(), filter), service.ReplayRequest{
		Draft: draft, Calls: c.query.Number(callsParameter),
		Progress: func(r *replay.Report) error { return say("progress", r) },
	})
	if err != nil {
		return s.end(err)
	}
	return s.end(say("result", report))
}

// replayDraft reads the draft from the body. It returns nil if the draft neither adds, changes nor removes guidelines.
func (c *call) replayDraft() (*service.Draft, error) {
	n, d, err := c.object()
	if err != nil {
		return nil, err
	}
	draft := &service.Draft{}
	d.Object(n, "", draftFields(d, draft))
	for i := range draft.Guidelines {
		if err := c.usable(d.Problems, &draft.Guidelines[i]); err != nil {
			return nil, err
		}
		draft.Guidelines[i].TenantID = ""
	}
	if len(d.Problems) > 0 {
		return nil, invalid(d.Problems)
	}
	if len(draft.Guidelines)+len(draft.Remove) == 0 {
		return nil, nil
	}
	return draft, nil
}

// namesIn reads a list that names guidelines.
func namesIn(d *document.Decoder, n *document.Node, at string) []string {
	if !d.UpTo(n, at, maxDraft, fewer) {
		return nil
	}
	return d.Strings(n, at)
}

// draftFields returns the fields of a body that describe a draft.
func draftFields(d *document.Decoder, draft *service.Draft) []document.Spec {
	return []document.Spec{
		{Name: "draft", Read: unlessNull(func(n *document.Node, at string) {
			d.Object(n, at, []document.Spec{{Name: "guidelines", Read: unlessNull(func(n *document.Node, at string) {
				draft.Guidelines = draftOf(d, n, at)
			})}})
		})},
		{Name: "remove", Read: unlessNull(func(n *document.Node, at string) { draft.Remove = namesIn(d, n, at) })},
	}
}
