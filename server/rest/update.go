package rest

import (
	"net/http"
	"slices"

	"guardrails/guideline"
	"guardrails/internal/document"
	"guardrails/store/live"
)

// update() replaces the fields that the body contains. If a field is null or missing, the guideline keeps its value.
func (c *call) update() error {
	n, d, err := c.object()
	if err != nil {
		return err
	}
	version := c.seen(d, versionIn(d, n), true)
	tenantStore, err := c.tenantStore()
	if err != nil {
		return err
	}
	given, before := fieldsOf(n), 0
	g, err := changeVersion(version, func() (guideline.Guideline, error) {
		return tenantStore.Edit(c.r.Context(), live.Ref{ID: c.id, Version: version},
			func(base guideline.Guideline) (guideline.Guideline, error) {
				before = base.Version
				return c.merged(&base, given, d.Problems)
			})
	})
	if err != nil {
		return err
	}
	c.w.Header().Set("ETag", etag(g.Version))
	return c.say(http.StatusOK, struct {
		view
		// Unchanged is set if the update made no new version.
		Unchanged bool `json:"unchanged,omitempty"`
	}{viewOf(&g), g.Version == before})
}

// fieldsOf returns all fields of a body except the version.
func fieldsOf(body *document.Node) *document.Node {
	given := &document.Node{Kind: document.Object}
	for _, f := range body.Fields {
		if f.Value.Kind != document.Null && f.Name != "version" {
			given.Add(f.Name, f.Line, f.Value)
		}
	}
	return given
}

// merged() returns a copy of the base guideline with the given fields. The parameter "problems" has the mistakes
// that have already been found.
func (c *call) merged(
	base *guideline.Guideline, given *document.Node, problems document.Problems,
) (guideline.Guideline, error) {
	d := &document.Decoder{Problems: slices.Clone(problems)}
	g, err := guideline.Merge(d, base, given)
	if err != nil {
		return g, err
	}
	if g.ID != base.ID {
		d.Report(given, "id", "is not the id in the path", "remove it; a guideline keeps its id")
	}
	if g.ProjectID != base.ProjectID {
		d.Report(given, projectParameter, "is not the project of the guideline",
			"remove it; a guideline stays in its project")
	}
	return g, c.usable(d.Problems, &g)
}

// usable() returns an error if a guideline cannot be stored.
func (c *call) usable(problems document.Problems, g *guideline.Guideline) error {
	if len(problems) > 0 {
		return invalid(problems)
	}
	if g.TenantID != "" && g.TenantID != c.caller.Tenant {
		return otherTenant(g.TenantID)
	}
	return nil
}
