package mcp

import (
	"context"
	"time"

	"guardrails/internal/document"
	"guardrails/store"
	"guardrails/store/live"
)

// auditPage is one page of the audit. The newest entries come first.
type auditPage struct {
	Success  bool          `json:"success"`
	Entries  []store.Entry `json:"entries"`
	Total    int           `json:"total"`
	Page     int           `json:"page"`
	PageSize int           `json:"page_size"`
}

// maxAuditPage limits the entries on a page, because a model has to read them.
const maxAuditPage = 200

func decodeAudit(d *document.Decoder, n *document.Node) (q store.AuditQuery) {
	text := func(name string, into *string) document.Spec {
		return document.Spec{Name: name, Read: func(n *document.Node, at string) { *into = d.String(n, at, false) }}
	}
	q.Paging = store.Paging{Page: 1, Size: store.DefaultPageSize}
	d.Object(n, "", []document.Spec{
		text("guideline_id", &q.Guideline), text("event_type", &q.Event), text("session_id", &q.Session),
		text("actor", &q.Actor),
		{Name: "date_from", Read: func(n *document.Node, at string) { q.From = moment(d, n, at, 0) }},
		{Name: "date_to", Read: func(n *document.Node, at string) { q.To = moment(d, n, at, 1) }},
		{Name: "page", Read: func(n *document.Node, at string) { q.Page = d.Int(n, at, 1, 1<<31-1) }},
		{Name: "page_size", Read: func(n *document.Node, at string) { q.Size = d.Int(n, at, 1, maxAuditPage) }},
	})
	if !q.To.IsZero() && !q.From.Before(q.To) {
		d.Report(n, "date_from", "is not before date_to", "swap the two, or change one")
	}
	return q
}

// moment reads a time or a day. For a day, it returns the beginning of that day, plus the given number of days.
func moment(d *document.Decoder, n *document.Node, at string, days int) time.Time {
	text := d.String(n, at, false)
	if day, err := time.Parse(time.DateOnly, text); err == nil {
		return day.AddDate(0, 0, days)
	}
	t, err := time.Parse(time.RFC3339, text)
	if n.Kind == document.String && err != nil {
		d.Report(n, at, document.Excerpt(text)+" is not a time", "write 2026-01-31 or 2026-01-31T12:00:00Z")
	}
	return t
}

// serveAudit answers a call of the tool for the audit.
func serveAudit(s *Server, ctx context.Context, arguments []byte) (any, error) {
	s.service.CatchUp(ctx)
	return readTool(decodeAudit, audit)(s, ctx, arguments)
}

func audit(ctx context.Context, b *live.TenantStore, q store.AuditQuery) (any, error) {
	page, err := b.Audit(ctx, q)
	if err != nil {
		return nil, err
	}
	entries := page.Items
	if entries == nil {
		entries = []store.Entry{}
	}
	return auditPage{true, entries, page.Total, page.Page, page.Size}, nil
}
