package rest

import (
	"context"
	"math"
	"net/http"
	"strings"
	"time"

	"guardrails/guideline"
	"guardrails/service"
	"guardrails/service/outputguard"
	"guardrails/service/storefault"
	"guardrails/store"
	"guardrails/store/live"
)

// The type "stats" counts the guidelines and audit entries of a tenant.
type stats struct {
	Guidelines guidelineStats `json:"guidelines"`
	Audit      auditStats     `json:"audit"`
	Safety     safetyStats    `json:"safety"`
	Store      storeStats     `json:"store"`
	Version    string         `json:"server_version"`
}

type guidelineStats struct {
	Total        int                          `json:"total"`
	Enabled      int                          `json:"enabled"`
	ByCategory   map[guideline.Category]int   `json:"by_category"`
	ByActionType map[guideline.ActionType]int `json:"by_action_type"`
}

type auditStats struct {
	Entries int `json:"entries"`
	LastDay int `json:"last_24_hours"`
}

// safetyStats counts the answers of the last 30 days that the output guard checked because the message showed a risk.
type safetyStats struct {
	Audits int `json:"output_audits"`
	// Interventions is the number of answers that were replaced, or would have been replaced in the mode "enforce".
	Interventions int `json:"interventions"`
	// Rate is the share of the checked answers that had an intervention. It is 0 if no answer was checked.
	Rate float64 `json:"intervention_rate"`
	// Repeated are the risks that occurred often within the last 24 hours.
	Repeated []outputguard.Repeated `json:"repeated"`
}

type storeStats struct {
	// Kind is the kind of the store: sqlite or elasticsearch.
	Kind       string `json:"place"`
	Generation int64  `json:"generation"`
	// The field "Read" is the time at which the store last confirmed these numbers. If the store cannot confirm them now,
	// Error says why.
	Read  time.Time `json:"read_at"`
	Error string    `json:"error,omitempty"`
}

func (c *call) stats() error {
	opened, err := c.store()
	if err != nil {
		return err
	}
	v, err := opened.Snapshot(c.r.Context(), c.caller.Tenant)
	if err != nil {
		return err
	}
	out := stats{
		Guidelines: countOf(v.Guidelines),
		Store:      storeStats{Kind: kindOf(opened.Location()), Generation: v.Generation, Read: v.Read.UTC()},
		Version:    c.h.o.Version,
	}
	if v.Err != nil {
		out.Store.Error = storefault.WithoutPlace(v.Err).Error()
	}
	tenantStore, err := c.tenantStore()
	if err != nil {
		return err
	}
	if out.Audit, err = auditOf(c.r.Context(), tenantStore, c.h.o.Now()); err != nil {
		return err
	}
	if out.Safety, err = safetyOf(c.r.Context(), tenantStore, c.h.o.Now()); err != nil {
		return err
	}
	return c.say(http.StatusOK, out)
}

// kindOf returns the kind of a store. The rest of the store's location is a path or an address, which callers need not
// know.
func kindOf(location string) string {
	kind, _, _ := strings.Cut(location, ":")
	return kind
}

func countOf(list []*guideline.Guideline) guidelineStats {
	out := guidelineStats{
		Total: len(list), ByCategory: map[guideline.Category]int{},
		ByActionType: map[guideline.ActionType]int{},
	}
	for _, category := range guideline.Categories() {
		out.ByCategory[category] = 0
	}
	for _, action := range guideline.ActionTypes() {
		out.ByActionType[action] = 0
	}
	for i := range list {
		if list[i].Enabled {
			out.Enabled++
		}
		out.ByCategory[list[i].Category]++
		out.ByActionType[list[i].Action.Type]++
	}
	return out
}

// auditOf counts the tenant's audit entries. It reads only pages with a single entry, because every page contains the
// total number of entries.
func auditOf(ctx context.Context, tenantStore *live.TenantStore, now time.Time) (auditStats, error) {
	one := store.Paging{Page: 1, Size: 1}
	all, err := tenantStore.Audit(ctx, store.AuditQuery{Paging: one})
	if err != nil {
		return auditStats{}, err
	}
	late, err := tenantStore.Audit(ctx, store.AuditQuery{
		AuditFilter: store.AuditFilter{From: now.AddDate(0, 0, -1)},
		Paging:      one,
	})
	return auditStats{all.Total, late.Total}, err
}

// safetyOf counts the tenant's audits of answers.
func safetyOf(ctx context.Context, tenantStore *live.TenantStore, now time.Time) (out safetyStats, err error) {
	const days = 30
	for result, into := range map[string]*int{
		"": &out.Audits, outputguard.Unsafe: &out.Interventions, outputguard.FailedClosed: &out.Interventions,
	} {
		page, err := tenantStore.Audit(ctx, store.AuditQuery{
			AuditFilter: store.AuditFilter{Event: service.OutputAudit, Result: result, From: now.AddDate(0, 0, -days)},
			Paging:      store.Paging{Page: 1, Size: 1},
		})
		if err != nil {
			return out, err
		}
		*into += page.Total
	}
	if out.Audits > 0 {
		out.Rate = math.Round(float64(out.Interventions)/float64(out.Audits)*10000) / 10000
	}
	out.Repeated, err = repeatedRisks(ctx, tenantStore, now)
	return out, err
}
