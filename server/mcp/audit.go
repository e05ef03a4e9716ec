package mcp

import (
	"context"
	"fmt"
	"strings"
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
	Next     string        `json:"next_cursor,omitempty"`
}

// maxAuditPage limits the entries on a page, because a model has to read them.
const maxAuditPage = 200

func decodeAudit(d *document.Decoder, n *document.Node) (q store.AuditQuery) {
	q.Paging = store.Paging{Size: store.DefaultPageSize}
	d.Object(n, "", append(auditSpecs(d, &q.AuditFilter),
		document.Spec{Name: "page", Read: func(n *document.Node, at string) { q.Page = d.Int(n, at, 1, 1<<31-1) }},
		document.Spec{Name: "cursor", Read: func(n *document.Node, at string) { q.Cursor = d.String(n, at, false) }},
		document.Spec{Name: "page_size", Read: func(n *document.Node, at string) { q.Size = d.Int(n, at, 1, maxAuditPage) }},
	))
	if !q.To.IsZero() && !q.From.Before(q.To) {
		d.Report(n, store.AuditFrom, "is not before "+store.AuditTo, "swap the two, or change one")
	}
	return q
}

// auditSpecs describes the filters of audit entries. The values of the filters are read into f.
func auditSpecs(d *document.Decoder, f *store.AuditFilter) (out []document.Spec) {
	for _, field := range store.AuditFields() {
		read := func(n *document.Node, at string) { f.Set(field.Name, d.String(n, at, false)) }
		switch {
		case len(field.Values) > 0:
			read = func(n *document.Node, at string) { f.Set(field.Name, d.Choice(n, at, field.Values)) }
		case field.Name == store.AuditFrom:
			read = func(n *document.Node, at string) { f.From = moment(d, n, at, false) }
		case field.Name == store.AuditTo:
			read = func(n *document.Node, at string) { f.To = moment(d, n, at, true) }
		}
		for _, name := range field.Names() {
			out = append(out, document.Spec{Name: name, Read: read})
		}
	}
	return out
}

// auditInput returns the schema of the arguments. The schema has only one spelling of each filter.
func auditInput() string {
	var out strings.Builder
	for _, f := range store.AuditFields() {
		more := ""
		if len(f.Values) > 0 {
			more = `, "enum": ["` + strings.Join(f.Values, `", "`) + `"]`
		}
		if f.IsTime {
			more = `, "examples": ["2026-01-31", "2026-01-31T12:00:00Z"]`
		}
		fmt.Fprintf(&out, "    %q: {\"type\": \"string\"%s, \"description\": %q},\n", f.Name, more, "Only entries "+f.About)
	}
	return "{\n  \"type\": \"object\",\n  \"properties\": {\n" + out.String() + auditPages
}

const auditPages = `    "page": {"type": "integer", "minimum": 1, "description": "The page; 1 has the newest entries"},
    "cursor": {"type": "string", "description": "The next_cursor of the page before. Give it instead of a page number, with the same filters"},
    "page_size": {"type": "integer", "minimum": 1, "maximum": 200, "description": "Entries on a page; default 20"}
  },
  "additionalProperties": false
}`

// moment() reads a time or a day.
func moment(d *document.Decoder, n *document.Node, at string, isEnd bool) time.Time {
	text := d.String(n, at, false)
	t, ok := document.ParseMoment(text, isEnd)
	if n.Kind == document.String && !ok {
		d.Report(n, at, document.Excerpt(text)+" is not a time", "write 2026-01-31 or 2026-01-31T12:00:00Z")
	}
	return t
}

// serveAudit answers a call of the tool with which callers read the audit.
func serveAudit(s *Server, ctx context.Context, arguments []byte) (any, error) {
	return readTool(decodeAudit, func(ctx context.Context, b *live.TenantStore, q store.AuditQuery) (any, error) {
		if err := s.service.CatchUp(ctx, b.Tenant()); err != nil {
			return nil, err
		}
		return audit(ctx, b, q)
	})(s, ctx, arguments)
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
	return auditPage{true, entries, page.Total, page.Page, page.Size, page.Next}, nil
}
