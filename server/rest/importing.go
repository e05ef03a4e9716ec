package rest

import (
	"net/http"

	"guardrails/guideline"
	"guardrails/internal/document"
	"guardrails/store"
)

const maxImport = 10000

type imported struct {
	store.ImportResult
	DryRun    bool `json:"dry_run"`
	Created   int  `json:"created"`
	Updated   int  `json:"updated"`
	Unchanged int  `json:"unchanged"`
	Skipped   int  `json:"skipped"`
	Failed    int  `json:"failed"`
}

// importAll imports a list of guidelines. If one of them fails, it imports none.
func (c *call) importAll() error {
	items, err := c.guidelines()
	if err != nil {
		return err
	}
	tenantStore, err := c.tenantStore()
	if err != nil {
		return err
	}
	dry := c.query.flag("dry_run")
	how := store.ImportOptions{OnConflict: store.OnConflict(c.query.text("on_conflict")), DryRun: dry != nil && *dry}
	result, err := tenantStore.Import(c.r.Context(), items, how)
	if err != nil && (!how.DryRun || result.Count(store.ItemFailed) == 0) {
		p := c.explained(err)
		if result.Count(store.ItemFailed) > 0 {
			p.Items = result.Items
		}
		return p
	}
	return c.say(http.StatusOK, imported{
		result, how.DryRun, result.Count(store.ItemCreated), result.Count(store.ItemUpdated),
		result.Count(store.ItemUnchanged), result.Count(store.ItemSkipped), result.Count(store.ItemFailed),
	})
}

// guidelines reads the list of guidelines from the body.
func (c *call) guidelines() ([]guideline.Guideline, error) {
	n, d, err := c.tree()
	if err != nil {
		return nil, err
	}
	if n.Kind != document.List {
		return nil, wrong("the body is "+n.Kind.String()+" where a list of guidelines is expected", "write a list")
	}
	if len(n.Items) > maxImport {
		return nil, wrong("the list has more guidelines than one import can have", "split it")
	}
	items := make([]guideline.Guideline, len(n.Items))
	for i, item := range n.Items {
		items[i] = guideline.Decode(d, item, document.Index("", i))
	}
	for i := range items {
		if err := c.usable(d.Problems, &items[i]); err != nil {
			return nil, err
		}
	}
	return items, nil
}
