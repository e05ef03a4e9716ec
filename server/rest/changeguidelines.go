package rest

import (
	"net/http"

	"guardrails/guideline"
	"guardrails/internal/document"
	"guardrails/store/live"
)

const maxVersion = 1<<31 - 1

// versionIn returns the version that a body names, or 0 if the field is missing or null.
func versionIn(d *document.Decoder, n *document.Node) int {
	if v := n.Field("version"); v != nil && v.Kind != document.Null {
		return d.Int(v, "version", 1, maxVersion)
	}
	return 0
}

func (c *call) toggle() error {
	n, d, err := c.object()
	if err != nil {
		return err
	}
	d.Object(n, "", []document.Spec{{Name: "version", Read: skip}})
	version := c.seen(d, versionIn(d, n), false)
	return c.change(version, d.Problems, func(b *live.TenantStore, ref live.Ref) (guideline.Guideline, error) {
		return b.Toggle(c.r.Context(), ref)
	})
}

// skip() ignores a field. The calling function reads this field in another way.
func skip(*document.Node, string) {}

// restore() adds a new version with the content of an earlier one.
func (c *call) restore() error {
	n, d, err := c.object()
	if err != nil {
		return err
	}
	old := 0
	d.Object(n, "", []document.Spec{{Name: "version", Read: skip}, {Name: "to_version", Required: true, Read: func(n *document.Node, at string) {
		old = d.Int(n, at, 1, maxVersion)
	}}})
	version := c.seen(d, versionIn(d, n), true)
	return c.change(version, d.Problems, func(b *live.TenantStore, ref live.Ref) (guideline.Guideline, error) {
		return b.Restore(c.r.Context(), ref, old)
	})
}

// change() makes a change and answers with the new version of the guideline. Routes use this method if their body
// contains only versions, and no other fields of the guideline.
func (c *call) change(
	version int, problems document.Problems, change func(*live.TenantStore, live.Ref) (guideline.Guideline, error),
) error {
	g, err := c.changed(version, problems, change)
	if err != nil {
		return err
	}
	return c.show(http.StatusOK, &g)
}

func (c *call) changed(
	version int, problems document.Problems, change func(*live.TenantStore, live.Ref) (guideline.Guideline, error),
) (guideline.Guideline, error) {
	if len(problems) > 0 {
		return guideline.Guideline{}, invalid(problems)
	}
	tenantStore, err := c.tenantStore()
	if err != nil {
		return guideline.Guideline{}, err
	}
	return changeVersion(version, func() (guideline.Guideline, error) {
		if version != 0 {
			return change(tenantStore, live.Ref{ID: c.id, Version: version})
		}
		g, err := tenantStore.Get(c.r.Context(), c.id)
		if err != nil {
			return g, err
		}
		return change(tenantStore, live.Ref{ID: c.id, Version: g.Version})
	})
}

func (c *call) remove() error {
	d := &document.Decoder{}
	version := c.seen(d, c.query.Number("version"), false)
	g, err := c.changed(version, d.Problems, func(b *live.TenantStore, ref live.Ref) (guideline.Guideline, error) {
		return guideline.Guideline{ID: ref.ID, Version: ref.Version}, b.Delete(c.r.Context(), ref)
	})
	if err != nil {
		return err
	}
	return c.say(http.StatusOK, struct {
		Success bool   `json:"success"`
		ID      string `json:"id"`
		Version int    `json:"version"`
	}{true, g.ID, g.Version + 1})
}
