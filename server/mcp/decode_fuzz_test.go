package mcp

import (
	"testing"

	"guardrails/internal/document"
)

// FuzzArguments decodes arbitrary arguments. The result must be a complete request or a list of problems.
func FuzzArguments(f *testing.F) {
	f.Add(`{"guideline":{"id":"a","name":"n","category":"custom","action":{"type":"instruction"}}}`)
	f.Add(`{"id":"a","version":1,"write_id":"change-0001","priority":3,"condition":{"agents":["a"]}}`)
	f.Add(`{"guidelines":[{"id":"a"},1,null],"on_conflict":"skip","dry_run":true}`)
	f.Add(`{}`)
	f.Add(`{"guideline_id":"a","date_from":"2026-01-31","date_to":"2026-01-31T12:00:00Z","page":1,"page_size":200}`)
	f.Fuzz(func(t *testing.T, text string) {
		n, problems := document.ParseJSON("", []byte(text))
		if n == nil {
			return
		}
		id := func(d *document.Decoder) []document.Spec { return (&changeArguments{}).specs(d) }
		for name, decode := range map[string]func(*document.Decoder) bool{
			toolCreate: func(d *document.Decoder) bool { return decodeCreate(d, n, id(d)).ID != "" },
			toolUpdate: func(d *document.Decoder) bool {
				c := decodeUpdate(d, n, id(d))
				return c.ref.ID != "" && c.ref.Version > 0
			},
			toolToggle: func(d *document.Decoder) bool { r := decodeRef(d, n, id(d)); return r.ID != "" && r.Version > 0 },
			toolImport: func(d *document.Decoder) bool { return len(decodeImport(d, n, id(d)).items) > 0 },
			toolAudit:  func(d *document.Decoder) bool { q := decodeAudit(d, n); return q.Size > 0 }, // without a page, the list begins at its start
		} {
			d := &document.Decoder{Problems: problems}
			if whole := decode(d); !whole && len(d.Problems) == 0 {
				t.Errorf("%s accepts %s without a problem", name, text)
			}
		}
	})
}
