package rest

import (
	"net/http"

	"guardrails/guideline"
	"guardrails/internal/document"
	"guardrails/rules"
	"guardrails/store"
	"guardrails/store/live"
)

const maxImport = 10000

type imported struct {
	Items     []importItem `json:"items"`
	Applied   bool         `json:"applied"`
	DryRun    bool         `json:"dry_run"`
	Created   int          `json:"created"`
	Updated   int          `json:"updated"`
	Unchanged int          `json:"unchanged"`
	Skipped   int          `json:"skipped"`
	Failed    int          `json:"failed"`
}

// importItem is the result of one guideline.
type importItem struct {
	store.ImportItem
	// Changes are the fields of an existing guideline that the import would change. Only a dry run reports them.
	Changes []store.FieldChange `json:"changes,omitempty"`
}

// importAll imports a list of guidelines. If one guideline fails, it imports none of them.
func (c *call) importAll() error {
	items, err := c.guidelines()
	if err != nil {
		return err
	}
	tenantStore, err := c.tenantStore()
	if err != nil {
		return err
	}
	dry := c.query.Flag("dry_run")
	how := store.ImportOptions{OnConflict: store.OnConflict(c.query.Text("on_conflict")), DryRun: dry != nil && *dry}
	result, err := tenantStore.Import(c.r.Context(), items, how)
	if err != nil && (!how.DryRun || result.Count(store.ItemFailed) == 0) {
		p := c.explained(err)
		if result.Count(store.ItemFailed) > 0 {
			p.Items = result.Items
		}
		return p
	}
	shown, err := c.compared(tenantStore, items, &result, how.DryRun)
	if err != nil {
		return err
	}
	return c.say(http.StatusOK, imported{
		shown, result.Applied, how.DryRun, result.Count(store.ItemCreated), result.Count(store.ItemUpdated),
		result.Count(store.ItemUnchanged), result.Count(store.ItemSkipped), result.Count(store.ItemFailed),
	})
}

// compared() adds the differences between the new and the existing guidelines to the results of a dry run.
func (c *call) compared(
	from *live.TenantStore, items []guideline.Guideline, result *store.ImportResult, dry bool,
) ([]importItem, error) {
	out := make([]importItem, len(result.Items))
	for i := range result.Items {
		out[i].ImportItem = result.Items[i]
	}
	if !dry {
		return out, nil
	}
	set, err := from.All(c.r.Context())
	if err != nil {
		return nil, err
	}
	existing := map[string]*guideline.Guideline{}
	for i := range set.Guidelines {
		existing[store.KeyOf(&set.Guidelines[i])] = &set.Guidelines[i]
	}
	for i := range out {
		if before := existing[store.KeyOf(&items[i])]; before != nil {
			out[i].Changes, err = differences(before, items[i])
			if err != nil {
				return nil, err
			}
		}
	}
	return out, nil
}

// differences() returns the fields of a guideline that an import would change.
func differences(before *guideline.Guideline, after guideline.Guideline) ([]store.FieldChange, error) {
	after.TenantID = before.TenantID
	return store.Differences(&store.Revision{Guideline: *before}, &store.Revision{Guideline: after})
}

// guidelines() reads the list of guidelines from the body.
func (c *call) guidelines() ([]guideline.Guideline, error) {
	if c.sends(typeYAML) {
		return c.guidelineFile()
	}
	n, d, err := c.tree()
	if err != nil {
		return nil, err
	}
	if n.Kind != document.List {
		return nil, bodyProblem("the body is "+n.Kind.String()+" where a list of guidelines is expected", "write a list")
	}
	if len(n.Items) > maxImport {
		return nil, bodyProblem("the list has more guidelines than one import can have", "split it")
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

// guidelineFile reads guidelines from the body, which is a YAML file.
func (c *call) guidelineFile() ([]guideline.Guideline, error) {
	text, err := c.read()
	if err != nil {
		return nil, err
	}
	file, problems := rules.Parse("import.yaml", text)
	switch {
	case len(problems) > 0:
		return nil, invalid(problems)
	case len(file.Guidelines) > maxImport:
		return nil, bodyProblem("the file has more guidelines than one import can have", "split it")
	}
	items := make([]guideline.Guideline, len(file.Guidelines))
	for i := range file.Guidelines {
		items[i] = file.Guidelines[i].Guideline
		if err := c.usable(nil, &items[i]); err != nil {
			return nil, err
		}
	}
	return items, nil
}
