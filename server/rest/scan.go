package rest

import (
	"time"

	"guardrails/store"
)

// maxCounted is the number of entries after which a summary stops. The documentation of the routes contains this
// number.
const maxCounted = 50000

// The type "scanned" says how many entries a summary has counted. The entries were made between From and To.
type scanned struct {
	From time.Time `json:"from"`
	To   time.Time `json:"to"`
	// Complete is false if there are earlier entries in the period that were not read. From is then the time of the
	// oldest entry that was read.
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

// countedPart is the part of a period that one answer counts. It is stored in cursors.
type countedPart struct {
	From, To time.Time
	// For each writer of a chain, Newest has the number of the decision that was the newest when the first page was
	// read. Later decisions do not count. If Newest is nil, all decisions count.
	Newest map[string]int64 `json:",omitempty"`
	// Start is the cursor of the audit where the part begins. It is empty if the part begins at the end of the period.
	Start string `json:",omitempty"`
	// End is the cursor of the audit where the next part begins, and LastID is the id of the last entry of this part. Both
	// are empty if the part has not been read before, or if there is no next part.
	End    string `json:",omitempty"`
	LastID string `json:",omitempty"`
}

// next() returns the part that comes after p.
func (p *countedPart) next() countedPart {
	return countedPart{From: p.From, To: p.To, Newest: p.Newest, Start: p.End}
}

// has() reports whether the entry counts.
func (p *countedPart) has(e *store.Entry) bool { return p.Newest == nil || e.Seq <= p.Newest[e.Writer] }

// maxChains is the largest number of chains in a cursor, because the length of a cursor is limited. An audit has more
// than one chain of decisions only if dumps of other stores were loaded into it. The documentation of the routes contains
// maxChains.
const maxChains = 5

// newest() returns the numbers of the newest decisions. If there are too many chains, it returns nil.
func (c *call) newest() (map[string]int64, error) {
	tenantStore, err := c.auditStore()
	if err != nil {
		return nil, err
	}
	heads, err := tenantStore.Heads(c.r.Context())
	out := map[string]int64{}
	for _, h := range heads {
		if h.Kind == store.KindDecision {
			out[h.Writer] = h.Seq
		}
	}
	if len(out) > maxChains {
		return nil, err
	}
	return out, err
}

// scan() calls visit() for each entry of a part that matches a filter. The newest entry comes first. If the part has
// not been read before, scan() decides where the part ends. It reads whole pages of the audit. After a page, it stops
// if it has counted at least as many entries as the parameter "most" says, or has read at least twice as many. Then it
// sets the end of the part.
func (c *call) scan(f store.AuditFilter, p *countedPart, most int, visit func(*store.Entry)) (scanned, error) {
	out := scanned{From: f.From.UTC(), To: f.To.UTC(), Complete: true}
	if !c.h.scans.Enter(c.caller) {
		return out, busy("too many summaries are being made; try again later")
	}
	defer c.h.scans.Leave(c.caller)
	tenantStore, err := c.auditStore()
	if err != nil {
		return out, err
	}
	paging := store.Paging{Size: min(most, store.MaxPageSize), Cursor: p.Start}
	if p.LastID != "" {
		most += paging.Size // the pages of the audit may end at other entries than before
	}
	for read := 0; ; {
		page, err := tenantStore.Audit(c.r.Context(), store.AuditQuery{AuditFilter: f, Paging: paging})
		if err != nil {
			return out, err
		}
		for i := range page.Items {
			e := &page.Items[i]
			out.From = e.Time.UTC()
			if p.has(e) {
				out.Counted++
				visit(e)
			}
			if e.ID == p.LastID {
				out.Complete = false
				return out, nil
			}
		}
		if page.Next == "" {
			out.From = f.From.UTC()
			return out, nil
		}
		if read += len(page.Items); out.Counted >= most || read >= 2*most {
			out.Complete = false
			p.End, p.LastID = page.Next, page.Items[len(page.Items)-1].ID
			return out, nil
		}
		paging.Cursor = page.Next
	}
}
