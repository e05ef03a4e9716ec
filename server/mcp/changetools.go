package mcp

import (
	"context"

	"guardrails/guideline"
	"guardrails/internal/document"
	"guardrails/store/live"
)

// The type "changed" is the answer to a change. It contains the guideline after the change.
type changed struct {
	Success   bool                `json:"success"`
	Guideline guideline.Guideline `json:"guideline"`
	// Unchanged is set if the guideline already had the new values. The guideline then has no new version.
	Unchanged bool `json:"unchanged,omitempty"`
}

func answerChanged(g guideline.Guideline, err error) (any, error) {
	if err != nil {
		return nil, err
	}
	return changed{Success: true, Guideline: g}, nil
}

func decodeCreate(d *document.Decoder, n *document.Node, common []document.Spec) (g guideline.Guideline) {
	d.Object(n, "", append(common, document.Spec{
		Name: "guideline", Required: true, Read: func(n *document.Node, at string) { g = guideline.Decode(d, n, at) },
	}))
	return g
}

func create(ctx context.Context, b *live.TenantStore, g guideline.Guideline) (any, error) {
	return answerChanged(b.Create(ctx, g))
}

// The type "changes" holds the id of a guideline, the version that the caller saw, and the new values.
type changes struct {
	ref  live.Ref
	with *document.Node
}

// editable() returns the names of the fields that the tool guardrails_update can change.
func editable() []string {
	return []string{"name", "description", "enabled", "category", "priority", "condition", "action", "metadata"}
}

func decodeUpdate(d *document.Decoder, n *document.Node, common []document.Spec) changes {
	c := changes{with: &document.Node{Kind: document.Object}}
	specs := append(refSpecs(d, &c.ref), common...)
	for _, name := range editable() {
		specs = append(specs, document.Spec{
			Name: name,
			Read: func(n *document.Node, _ string) { c.with.Add(name, n.Line, n) },
		})
	}
	if d.Object(n, "", specs) && len(c.with.Fields) == 0 {
		d.Report(n, "", "no field is given", "give at least one field besides id and version")
	}
	return c
}

// update() replaces the given fields of a guideline. The other fields stay the same.
func update(ctx context.Context, b *live.TenantStore, c changes) (any, error) {
	before := 0
	g, err := b.Edit(ctx, c.ref, func(base guideline.Guideline) (guideline.Guideline, error) {
		before = base.Version
		d := &document.Decoder{}
		g, err := guideline.Merge(d, &base, c.with)
		if err == nil {
			err = unnumbered(d.Problems).Err()
		}
		return g, err
	})
	if err != nil {
		return nil, err
	}
	return changed{true, g, g.Version == before}, nil
}

// refSpecs describes two arguments: the id of a guideline, and the version that the caller saw. Decoding them sets
// the fields of *into.
func refSpecs(d *document.Decoder, into *live.Ref) []document.Spec {
	return []document.Spec{
		{Name: "id", Required: true, Read: func(n *document.Node, at string) {
			if into.ID = d.String(n, at, false); n.Kind == document.String && !guideline.ValidID(into.ID) {
				d.Report(n, at, document.Excerpt(into.ID)+" is not the id of a guideline", "write it as guardrails_list shows it")
			}
		}},
		{Name: "version", Required: true, Read: func(n *document.Node, at string) {
			into.Version = d.Int(n, at, 1, 1<<31-1)
		}},
	}
}

func decodeRef(d *document.Decoder, n *document.Node, common []document.Spec) (ref live.Ref) {
	d.Object(n, "", append(refSpecs(d, &ref), common...))
	return ref
}

func toggle(ctx context.Context, b *live.TenantStore, ref live.Ref) (any, error) {
	return answerChanged(b.Toggle(ctx, ref))
}

// The type "deleted" is the answer to a deletion. A deletion adds a version to the guideline, like any other
// change.
type deleted struct {
	Success bool   `json:"success"`
	ID      string `json:"id"`
	Version int    `json:"version"`
}

func remove(ctx context.Context, b *live.TenantStore, ref live.Ref) (any, error) {
	if err := b.Delete(ctx, ref); err != nil {
		return nil, err
	}
	return deleted{true, ref.ID, ref.Version + 1}, nil
}
