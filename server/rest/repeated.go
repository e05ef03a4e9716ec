package rest

import (
	"context"
	"encoding/json"
	"time"

	"guardrails/service"
	"guardrails/service/outputguard"
	"guardrails/store"
	"guardrails/store/live"
)

// repeatedRisks returns the risks that occurred too often in the answers that were audited in the last 24 hours.
func repeatedRisks(ctx context.Context, tenantStore *live.TenantStore, now time.Time) ([]outputguard.Repeated, error) {
	counts := map[string]int{}
	filter := store.AuditFilter{Event: service.OutputAudit, From: now.AddDate(0, 0, -1)}
	for e, err := range tenantStore.Entries(ctx, filter) {
		if err != nil {
			return nil, err
		}
		for _, risk := range risksOf(&e) {
			counts[risk]++
		}
	}
	return outputguard.RepeatedRisks(counts), nil
}

// The entry e says that an answer was checked. risksOf returns the risks that are listed in this entry.
func risksOf(e *store.Entry) []string {
	if e.Context == nil {
		return nil
	}
	var details struct{ Risks []string }
	raw, err := json.Marshal(e.Context.Metadata["details"])
	if err == nil {
		_ = json.Unmarshal(raw, &details) // an entry of another form has no risk
	}
	return details.Risks
}
