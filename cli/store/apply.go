package store

import (
	"bytes"
	"context"
	"fmt"
	"strings"

	"guardrails/cli/app"

	"github.com/spf13/cobra"

	"guardrails/guideline"
	"guardrails/rules"
	"guardrails/store"
)

func applyCommand(a *app.App) *cobra.Command {
	var file string
	var force bool
	c := &cobra.Command{
		Use:   "apply -f FILE",
		Short: "Create guidelines in the store, or change them",
		Long: `Apply puts the guidelines of a file into the store, or of stdin where the file is -. Nobody's change is lost by it:

  a guideline with a version    changes that version, and is refused when there is a newer one
  a guideline without a version creates it, and is refused when there is one that says something else
  --force                       takes the place of whatever is there; its history keeps that

When one is refused, nothing is changed. A guideline that is there word for word stays as it is.`,
		Example: `  guardrails apply -f guidelines.yaml
  guardrails apply -f - < guidelines.yaml`,
		Args: app.Args(0, 0, "give the file by -f"),
		RunE: func(c *cobra.Command, _ []string) error { return runApply(a, c, file, force) },
	}
	c.Flags().StringVarP(&file, "file", "f", "", "the `FILE` with the guidelines, YAML or JSON; - is stdin")
	c.Flags().BoolVar(&force, "force", false, "replace what is there, whatever its version")
	return c
}

func runApply(a *app.App, c *cobra.Command, file string, force bool) error {
	if file == "" {
		return app.Usagef("%s: no file is given; name it by -f, or give - for stdin", c.CommandPath())
	}
	wanted, err := readGuidelines(a, file)
	if err != nil {
		return err
	}
	return changeStore(a, c, create, func(ctx context.Context, b *book) error {
		result, err := b.apply(ctx, wanted, force)
		if err != nil {
			return err
		}
		return importAnswer(a, result)
	})
}

// readGuidelines reads the guidelines of one file, or of stdin.
func readGuidelines(a *app.App, file string) ([]guideline.Guideline, error) {
	text, shown, err := a.ReadInput(file)
	if err != nil {
		return nil, err
	}
	name := file
	if file == "-" {
		name = "stdin.yaml"
		if first := bytes.TrimSpace(text); len(first) > 0 && strings.ContainsRune("{[", rune(first[0])) {
			name = "stdin.json"
		}
	}
	parsed, problems := rules.Parse(name, text)
	if err := problems.Err(); err != nil {
		return nil, err
	}
	if len(parsed.Guidelines) == 0 {
		return nil, app.Failf("%s: holds no guidelines; write one", shown)
	}
	return (&rules.Loaded{Guidelines: parsed.Guidelines}).Plain(), nil
}

// apply changes the store when nothing stands in the way of any guideline.
func (b *book) apply(ctx context.Context, wanted []guideline.Guideline, force bool) (*store.ImportResult, error) {
	result := &store.ImportResult{}
	for i := range wanted {
		item, err := b.planned(ctx, &wanted[i], force)
		if err != nil {
			return nil, err
		}
		result.Items = append(result.Items, item)
	}
	if result.Count(store.ItemFailed) > 0 {
		return result, nil
	}
	result.Applied = true
	for i := range wanted {
		if err := b.put(ctx, &wanted[i], &result.Items[i]); err != nil && store.CodeOf(err) != store.Conflict {
			return nil, fmt.Errorf("%w (%d of %d guidelines were applied before)", err, i, len(wanted))
		}
	}
	return result, nil
}

// planned says what is to become of a guideline, and gives it the version that it is to replace.
func (b *book) planned(ctx context.Context, g *guideline.Guideline, force bool) (store.ImportItem, error) {
	item := store.ImportItem{ID: g.ID, Outcome: store.ItemUpdated}
	current, err := b.Get(ctx, g.ID)
	if store.CodeOf(err) == store.NotFound {
		item.Outcome = store.ItemCreated
		if g.Version > 0 && !force {
			refuse(&item, store.NotFound, "version %d is not there any more; remove the version from the file to create it anew", g.Version)
		}
		return item, nil
	}
	if err != nil {
		return item, err
	}
	same, err := store.SameContent(&current, g)
	item.Version = current.Version
	switch {
	case err != nil || same:
		item.Outcome = store.ItemUnchanged
	case force, g.Version == current.Version:
	case g.Version == 0:
		refuse(&item, store.Conflict, "is there already; write version: %d into the file once you have read what is there (guardrails get %s), or give --force", current.Version, g.ID)
	default:
		refuse(&item, store.Conflict, "has version %d by now, and the file version %d; read it again (guardrails get %s)", current.Version, g.Version, g.ID)
	}
	g.Version = current.Version
	return item, err
}

func refuse(item *store.ImportItem, code store.Code, format string, args ...any) {
	item.Outcome, item.Code, item.Message = store.ItemFailed, code, fmt.Sprintf(format, args...)
}

// put makes the change that was planned. Somebody who was faster since makes it fail.
func (b *book) put(ctx context.Context, g *guideline.Guideline, item *store.ImportItem) error {
	change := b.Update
	switch item.Outcome {
	case store.ItemUnchanged:
		return nil
	case store.ItemCreated:
		change = b.Create
	}
	made, err := change(ctx, *g)
	if err != nil {
		refuse(item, store.CodeOf(err), "%v", err)
		return err
	}
	item.Version = made.Version
	return nil
}
