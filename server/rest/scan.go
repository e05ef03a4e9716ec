package rest

import (
	"time"

	"guardrails/store"
)

// maxScanned is the largest number of entries that a summary counts.
const maxScanned = 50000

// The type "scanned" says how many entries a summary has counted. The entries were made between From and To.
type scanned struct {
	From time.Time `json:"from"`
	To   time.Time `json:"to"`
	// Complete is false if there were too many entries, so that only some of them were counted. From is then the time of
	// the oldest entry that was counted.
	Complete bool `json:"complete"`
	Counted  int  `json:"counted"`
}

// usualSpan is the length of the period that a summary covers if the caller does not say when the period begins.
const usualSpan = 24 * time.Hour

// span() returns the filter for the entries of a summary. The query describes the filter. By default, the filter
// selects the entries of the last day.
func (c *call) span() store.AuditFilter {
	f := store.AuditFilter{
		Kind: store.KindDecision, From: c.query.Time(store.AuditFrom), To: c.query.Time(store.AuditTo),
		Project: c.query.Text("project"), Session: c.query.Text("session"),
	}
	if f.To.IsZero() {
		f.To = c.h.o.Now()
	}
	if f.From.IsZero() {
		f.From = f.To.Add(-usualSpan)
	}
	return f
}

// scan() calls visit() for each entry that matches a filter. The newest entry comes first. The parameter "most"
// limits the number of entries.
func (c *call) scan(f store.AuditFilter, most int, visit func(*store.Entry)) (scanned, error) {
	out := scanned{From: f.From.UTC(), To: f.To.UTC(), Complete: true}
	if !c.h.scans.Enter(c.caller) {
		return out, busy("too many summaries are being made; try again later")
	}
	defer c.h.scans.Leave(c.caller)
	tenantStore, err := c.auditStore()
	if err != nil {
		return out, err
	}
	paging := store.Paging{Page: 1, Size: min(most, store.MaxPageSize)}
	for {
		page, err := tenantStore.Audit(c.r.Context(), store.AuditQuery{AuditFilter: f, Paging: paging})
		if err != nil {
			return out, err
		}
		for i := range page.Items {
			if out.Counted == most {
				out.Complete = false
				return out, nil
			}
			out.Counted++
			if page.Next != "" || out.Counted == most {
				out.From = page.Items[i].Time.UTC()
			}
			visit(&page.Items[i])
		}
		if page.Next == "" {
			out.From = f.From.UTC()
			return out, nil
		}
		paging = store.Paging{Size: paging.Size, Cursor: page.Next}
	}
}
