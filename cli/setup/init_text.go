package setup

import (
	"path/filepath"
	"strings"

	"guardrails/cli/app"
	"guardrails/setup"
)

// initAnswer describes the changes of init, which are only planned with --dry-run.
type initAnswer struct {
	// Root is the project, or the folder of the user's own settings.
	Root    string       `json:"root"`
	Applied bool         `json:"applied"`
	Changes []initChange `json:"changes"`
	// Store is nil if init does nothing with the store.
	Store *storeChange `json:"store,omitempty"`
	// Next are the next steps for the user.
	Next []string `json:"next,omitempty"`
}

// initChange is the change of one file.
type initChange struct {
	Path    string   `json:"path"`
	Change  string   `json:"change"`
	Reasons []string `json:"reasons"`
	Diff    string   `json:"diff,omitempty"`

	short string
}

func newInitAnswer(o *setup.Options, f *initFlags, plan *setup.Plan) *initAnswer {
	out := &initAnswer{Root: o.Root, Applied: !f.dryRun, Changes: []initChange{}}
	if out.Root == "" {
		out.Root = filepath.Dir(o.Settings)
	}
	for i := range plan.Changes {
		c := &plan.Changes[i]
		shown := initChange{Path: c.Path, Change: c.Kind(), Reasons: c.Reasons, short: shortPath(o, c.Path)}
		if f.dryRun {
			shown.Diff = c.Diff(strings.TrimPrefix(shown.short, "/"))
		}
		out.Changes = append(out.Changes, shown)
	}
	if !f.dryRun && !f.uninstall {
		out.Next = nextSteps(o)
	}
	return out
}

func nextSteps(o *setup.Options) []string {
	start := "start Claude Code in any project"
	if o.Root != "" {
		start = "start Claude Code in " + o.Root + " (in a folder below it, Claude Code does not read these settings; " +
			"init --user works in every folder)"
	}
	return []string{start, `run "guardrails doctor --live" to prove that each hook works`}
}

// shortPath returns a path relative to the project, if it is in the project.
func shortPath(o *setup.Options, path string) string {
	if rel, err := filepath.Rel(o.Root, path); o.Root != "" && err == nil && filepath.IsLocal(rel) {
		return filepath.ToSlash(rel)
	}
	return path
}

func printInit(p *app.Printer, answer *initAnswer, f *initFlags) {
	for i := range answer.Changes {
		c := &answer.Changes[i]
		if f.dryRun {
			printDiff(p, c.Diff)
			continue
		}
		p.Line("%-8s %s", p.Paint(app.Bold, c.Change+"d"), c.short)
		for _, reason := range c.Reasons {
			p.Line("         %s", app.Flat(reason))
		}
	}
	printStoreChange(p, answer.Store, f.dryRun)
	if len(answer.Changes) == 0 {
		switch {
		case f.uninstall:
			p.Line("there is nothing to remove")
		case answer.Store.isEmpty():
			p.Line("everything is set up; nothing to change")
		}
	}
	if len(answer.Next) > 0 {
		p.Line("\nNext")
	}
	for i, step := range answer.Next {
		p.Line("  %d. %s", i+1, app.Flat(step))
	}
}

func (s *storeChange) isEmpty() bool {
	return s == nil || len(s.Added)+len(s.Differ) == 0 && s.Error == ""
}

// printStoreChange says which guidelines the store got, and which differ from the packs.
func printStoreChange(p *app.Printer, s *storeChange, dryRun bool) {
	if s == nil {
		return
	}
	verb := "filled  "
	if dryRun {
		verb = "would fill"
	}
	if dryRun && s.Error != "" {
		p.Line("%s the store: %s", p.Paint(app.Yellow, "would not fill"), app.Flat(s.Error))
	}
	packs := strings.Join(s.Packs, " and ")
	if len(s.Added) > 0 {
		p.Line("%s %s", p.Paint(app.Bold, verb), s.Location)
		p.Line("         with %s of %s, for %s", app.Count(len(s.Added), "guideline"), packs, tenantText(s.Tenant))
	}
	if len(s.Differ) > 0 {
		p.Line("kept     these guidelines of the store, which differ from %s: %s", packs, strings.Join(s.Differ, ", "))
		p.Line("         to replace them: guardrails import %s --on-conflict update", strings.Join(s.Packs, " "))
	}
}

// tenantText says which projects share the guidelines of a tenant.
func tenantText(tenant string) string {
	if tenant == "" {
		return "every project without a tenant"
	}
	return "every project of the tenant " + app.Flat(tenant)
}

// printDiff writes a unified diff with removed lines in red and added lines in green.
func printDiff(p *app.Printer, text string) {
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\r\n")
		shade := app.Plain
		switch {
		case strings.HasPrefix(line, "---"), strings.HasPrefix(line, "+++"):
			shade = app.Bold
		case strings.HasPrefix(line, "-"):
			shade = app.Red
		case strings.HasPrefix(line, "+"):
			shade = app.Green
		}
		p.Line("%s", p.Paint(shade, line))
	}
}
