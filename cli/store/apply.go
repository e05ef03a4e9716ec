package store

import (
	"bytes"
	"context"
	"strings"

	"github.com/spf13/cobra"

	"guardrails/cli/app"
	"guardrails/guideline"
	"guardrails/rules"
	"guardrails/service/apply"
	"guardrails/store"
)

func applyCommand(a *app.App) *cobra.Command {
	var file string
	var force bool
	c := &cobra.Command{
		Use:   "apply -f FILE",
		Short: "Create or update guidelines in the store from a file",
		Long: `Apply puts the guidelines of a file into the store. It does not overwrite anyone else's change:

  a guideline with a version     replaces that version; it is refused if the store has a newer version
  a guideline without a version  is created; it is refused if the store has a different guideline with its id
  --force                        replaces what the store has; the history keeps the old version

If one guideline is refused, nothing changes. A guideline that is the same in the store stays as it is.

The guidelines are for this project or, with --all-projects, for all projects.`,
		Example: `  guardrails apply -f guidelines.yaml
  guardrails apply -f guidelines.yaml --all-projects
  guardrails apply -f - < guidelines.yaml`,
		Args: app.Args(0, 0, "give the file with -f"),
		RunE: func(c *cobra.Command, _ []string) error { return runApply(a, c, file, force) },
	}
	c.Flags().StringVarP(&file, "file", "f", "", "the `FILE` with the guidelines, YAML or JSON; - is stdin")
	c.Flags().BoolVar(&force, "force", false, "replace guidelines in the store, whatever their version")
	addScope(c, "apply the guidelines for all projects")
	return c
}

func runApply(a *app.App, c *cobra.Command, file string, force bool) error {
	if file == "" {
		return app.Usagef("%s: no file is given; give it with -f, or -f - for stdin", c.CommandPath())
	}
	wanted, err := readGuidelines(a, file)
	if err != nil {
		return err
	}
	return changeStore(a, c, create, func(ctx context.Context, s *projectStore) error {
		if err := s.checkOwner(wanted); err != nil {
			return err
		}
		result, err := apply.Guidelines(ctx, s.TenantStore, wanted, force)
		if err != nil {
			return err
		}
		return answerImport(a, result, s)
	})
}

// checkOwner returns an error if a guideline belongs to a project whose guidelines this command does not change.
func (s *projectStore) checkOwner(wanted []guideline.Guideline) error {
	for i := range wanted {
		if g := &wanted[i]; g.ProjectID != "" && g.ProjectID != s.ProjectID() {
			return store.Errorf(store.Invalid,
				"%s belongs to the project %s, but the command is about %s; remove project_id from the file", g.ID,
				g.ProjectID, s.owner())
		}
	}
	return nil
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
		return nil, app.Failf("%s: contains no guidelines; add one", shown)
	}
	return (&rules.Loaded{Guidelines: parsed.Guidelines}).Plain(), nil
}
