package author

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"guardrails/cli/app"
	"guardrails/config"
	"guardrails/hooks/ownfiles"
	"guardrails/internal/product"
	"guardrails/rules/template"
	"guardrails/service/guidelinefiles"
)

func newCommand(a *app.App) *cobra.Command {
	var print bool
	c := &cobra.Command{
		Use:   "new [TEMPLATE]",
		Short: "Write a guideline from a template, with cases that test it",
		Long: `New writes a guideline into .claude/guardrails, and cases that test the guideline into a second file beside it.
New overwrites no file. Without a template it lists the templates and their values. Change the files as you like,
then run "guardrails lint" and "guardrails test".`,
		Example: `  guardrails new
  guardrails new protect-folder --path src/generated
  guardrails new use-tool-instead --tool pnpm --instead-of npm
  guardrails new role-boundary --agent frontend --path web --print`,
		Args: app.Args(0, 1, "name one template"),
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) == 0 {
				return listTemplates(a, c)
			}
			return runNew(a, c, args[0], print)
		},
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return templateNames(), cobra.ShellCompDirectiveNoFileComp
		},
	}
	flags := c.Flags()
	flags.String(template.Path, "", "the `FOLDER` that the guideline is about, relative to the project")
	flags.String(template.Agent, "", "the `NAME` of the agent that the guideline is about")
	flags.String(template.Tool, "", "the `PROGRAM` to use")
	flags.String(template.InsteadOf, "", "the `PROGRAM` that is denied")
	flags.String(template.Day, "", "the `DAY` of the week, such as friday")
	flags.String(template.MaxFiles, "", "the largest `NUMBER` of files in a commit")
	flags.BoolVar(&print, "print", false, "print the files and write nothing")
	return c
}

func templateNames() []string {
	var names []string
	for _, t := range template.List() {
		names = append(names, t.Name)
	}
	return names
}

func listTemplates(a *app.App, c *cobra.Command) error {
	if c.Flags().NFlag() > 0 {
		return app.Usagef("%s: name one of these templates: %s", c.CommandPath(), strings.Join(templateNames(), ", "))
	}
	list := template.List()
	return a.Answer(list, func(p *app.Printer) {
		for _, t := range list {
			p.Line("%-20s %s", p.Paint(app.Bold, t.Name), t.About)
			for _, v := range t.Values {
				p.Line("%-20s   --%s, by default %s", "", v.Name, v.Default)
			}
		}
	})
}

type newGuideline struct {
	Template  string    `json:"template"`
	Guideline string    `json:"guideline"`
	Files     []newFile `json:"files"`
	Written   bool      `json:"written"`
}

type newFile struct {
	Path string `json:"path"`
	Text string `json:"text"`
}

func runNew(a *app.App, c *cobra.Command, name string, print bool) error {
	t, ok := template.Find(name)
	if !ok {
		return app.Usagef("%s: there is no template %q; the templates are %s", c.CommandPath(), name,
			strings.Join(templateNames(), ", "))
	}
	given, err := templateValues(c, t)
	if err != nil {
		return err
	}
	filled, err := t.Fill(given)
	if err != nil {
		return app.Usagef("%s: %v", c.CommandPath(), err)
	}
	answer := &newGuideline{Template: t.Name, Guideline: filled.ID, Written: !print}
	base := path.Join(product.GuidelinesFolder, filled.ID)
	answer.Files = []newFile{
		{base + ".yaml", string(filled.Guideline)},
		{base + ".cases.yaml", string(filled.Cases)},
	}
	if !print {
		if err := writeNew(a, c, answer); err != nil {
			return err
		}
	}
	return a.Answer(answer, func(p *app.Printer) { printNew(p, answer) })
}

// templateValues returns the values that flags set. It returns an error for a flag that the template does not have.
func templateValues(c *cobra.Command, t template.Template) (map[string]string, error) {
	given := map[string]string{}
	var wrong string
	c.Flags().Visit(func(f *pflag.Flag) {
		switch {
		case t.Has(f.Name):
			given[f.Name] = f.Value.String()
		case f.Name != "print" && c.LocalNonPersistentFlags().Lookup(f.Name) != nil:
			wrong = f.Name
		}
	})
	if wrong != "" {
		return nil, app.Usagef("%s: the template %s has no flag --%s; remove the flag", c.CommandPath(), t.Name, wrong)
	}
	return given, nil
}

func printNew(p *app.Printer, n *newGuideline) {
	for _, f := range n.Files {
		if n.Written {
			p.Line("wrote %s", f.Path)
		} else {
			p.Line("# %s", f.Path)
			p.WriteString(f.Text)
		}
	}
	if n.Written {
		p.Line(`To check the guideline, run "guardrails lint" and "guardrails test".`)
	}
}

// writeNew writes the files of a new guideline into the project.
func writeNew(a *app.App, c *cobra.Command, n *newGuideline) error {
	settings, err := a.Config()
	if err != nil {
		return err
	}
	root := a.ProjectRoot(a.Cwd)
	for _, g := range guidelinefiles.Read(root, settings).Guidelines {
		if g.ID == n.Guideline {
			return app.Failf("%s: the guideline %s is already defined at %s; change it there", c.CommandPath(), g.ID, g.Origin)
		}
	}
	noteLostCore(a, root, settings)
	dir, err := os.OpenRoot(root)
	if err != nil {
		return app.Failf("%s: cannot open the project: %v; check its permissions", c.CommandPath(), err)
	}
	defer func() { _ = dir.Close() }() // closing a folder cannot lose data
	if err := createAll(dir, n.Files); err != nil {
		return app.Failf("%s: %v", c.CommandPath(), err)
	}
	if a.RequirePerson(c, "") == nil {
		for _, f := range n.Files {
			ownfiles.AcceptIn(a.Env, filepath.Join(root, f.Path))
		}
	}
	return nil
}

// createAll creates all files. If one of the files cannot be created, it removes the other files again.
func createAll(dir *os.Root, list []newFile) error {
	if err := dir.MkdirAll(product.GuidelinesFolder, 0o755); err != nil {
		return fmt.Errorf("cannot create %s: %w; check its permissions", product.GuidelinesFolder, err)
	}
	for i, f := range list {
		err := create(dir, f)
		if err == nil {
			continue
		}
		for _, written := range list[:i] {
			err = errors.Join(err, dir.Remove(written.Path))
		}
		return err
	}
	return nil
}

// create() writes a new file. Other users may read the file, because the file belongs to the project.
func create(dir *os.Root, f newFile) error {
	file, err := dir.OpenFile(f.Path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	switch {
	case errors.Is(err, fs.ErrExist):
		return fmt.Errorf("%s exists already; change the file, or move it away", f.Path)
	case err != nil:
		return fmt.Errorf("cannot write %s: %w; check its permissions", f.Path, err)
	}
	_, err = file.WriteString(f.Text)
	return errors.Join(err, file.Close())
}

// noteLostCore prints a note if the new guideline is the project's first guideline. The core pack then no longer
// applies by default.
func noteLostCore(a *app.App, root string, settings *config.Config) {
	sources, _ := guidelinefiles.Sources(root, settings)
	if settings.Packs == nil && len(sources) == 1 && sources[0] == guidelinefiles.CorePack {
		a.Note(fmt.Sprintf("until now this project used the core pack, because it had no guidelines of its own; to keep "+
			"the core pack, write packs: [core] into %s", product.ConfigFile))
	}
}
