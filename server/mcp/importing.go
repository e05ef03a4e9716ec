package mcp

import (
	"context"

	"guardrails/guideline"
	"guardrails/internal/document"
	"guardrails/store"
	"guardrails/store/live"
)

type imports struct {
	items []guideline.Guideline
	how   store.ImportOptions
}

// maxImport is the largest number of guidelines in one call. For more guidelines, people use the command "guardrails
// import".
const maxImport = 1000

func decodeImport(d *document.Decoder, n *document.Node, common []document.Spec) (i imports) {
	d.Object(n, "", append(common, []document.Spec{
		{Name: "guidelines", Required: true, Read: func(n *document.Node, at string) { i.items = decodeMany(d, n, at) }},
		{Name: "on_conflict", Read: func(n *document.Node, at string) {
			i.how.OnConflict = store.OnConflict(d.Choice(n, at,
				[]string{string(store.FailOnConflict), string(store.SkipOnConflict), string(store.UpdateOnConflict)}))
		}},
		{Name: "dry_run", Read: func(n *document.Node, at string) { i.how.DryRun = d.Bool(n, at) }},
	}...))
	return i
}

func decodeMany(d *document.Decoder, n *document.Node, at string) (out []guideline.Guideline) {
	switch {
	case !d.UpTo(n, at, maxImport, "import them in several calls"):
	case len(n.Items) == 0:
		d.Report(n, at, "has no guideline", "write at least one")
	default:
		for i, item := range n.Items {
			out = append(out, guideline.Decode(d, item, document.Index(at, i)))
		}
	}
	return out
}

// The type "imported" lists what the import did with each guideline.
type imported struct {
	Success bool               `json:"success"`
	Applied bool               `json:"applied"`
	Items   []store.ImportItem `json:"items"`
	// Problem says why nothing was imported.
	Problem string `json:"problem,omitempty"`
}

// importMany imports all guidelines or none. If some guidelines fail, the answer lists them, and err is nil.
func importMany(ctx context.Context, b *live.TenantStore, i imports) (any, error) {
	result, err := b.Import(ctx, i.items, i.how)
	if err != nil && len(result.Items) == 0 {
		return nil, err
	}
	out := imported{Success: err == nil, Applied: result.Applied, Items: result.Items}
	if err != nil {
		out.Problem = err.Error()
	}
	return out, nil
}
