package rest

import (
	"net/http"
	"slices"

	"guardrails/guideline"
	"guardrails/internal/document"
	"guardrails/store"
)

// update gives a guideline the fields that the body has. A field that is null or missing stays as it is.
func (c *call) update() error {
	n, d, err := c.object()
	if err != nil {
		return err
	}
	version, err := c.seen(d, versionIn(d, n, "version"), true)
	if err != nil {
		return err
	}
	book, err := c.book()
	if err != nil {
		return err
	}
	given := fieldsOf(n)
	g, err := onto(version, func() (guideline.Guideline, error) {
		return book.Edit(c.r.Context(), store.Ref{ID: c.id, Version: version}, func(base guideline.Guideline) (guideline.Guideline, error) {
			return c.merged(&base, given, d.Problems)
		})
	})
	if err != nil {
		return err
	}
	return c.show(http.StatusOK, &g)
}

// fieldsOf are the fields that a body gives. The version has been read, and the guideline has its own.
func fieldsOf(body *document.Node) *document.Node {
	given := &document.Node{Kind: document.Object}
	for _, f := range body.Fields {
		if f.Value.Kind != document.Null && f.Name != "version" {
			given.Add(f.Name, f.Line, f.Value)
		}
	}
	return given
}

// merged is a guideline with the fields that were given; problems are what is known to be wrong already.
func (c *call) merged(base *guideline.Guideline, given *document.Node, problems document.Problems) (guideline.Guideline, error) {
	d := &document.Decoder{Problems: slices.Clone(problems)}
	g, err := guideline.Merge(d, base, given)
	if err != nil {
		return g, err
	}
	if g.ID != base.ID {
		d.Report(given, "id", "is not the one in the path", "remove it; a guideline keeps its id")
	}
	return g, c.usable(d.Problems, &g)
}

// usable says what is wrong with a guideline that came in.
func (c *call) usable(problems document.Problems, g *guideline.Guideline) error {
	if len(problems) > 0 {
		return invalid(problems)
	}
	if g.TenantID != "" && g.TenantID != c.caller.Tenant {
		return otherTenant(g.TenantID)
	}
	return nil
}
