package setup

import (
	"path/filepath"
	"strings"

	"guardrails/cli/app"
	"guardrails/setup"
)

// initAnswer is what init did, or would do.
type initAnswer struct {
	// Root is the project, or the folder of the user's own settings.
	Root    string       `json:"root"`
	Applied bool         `json:"applied"`
	Changes []initChange `json:"changes"`
	// Store is nil where there is nothing to do with it.
	Store *initStore `json:"store,omitempty"`
	// Next are the steps that a person takes from here.
	Next []string `json:"next,omitempty"`
}

// initChange is what becomes of one file.
type initChange struct {
	Path    string   `json:"path"`
	Change  string   `json:"change"`
	Reasons []string `json:"reasons"`
	Diff    string   `json:"diff,omitempty"`

	short string
}

func newInitAnswer(a *app.App, o *setup.Options, f *initFlags, plan *setup.Plan) (*initAnswer, func(p *app.Printer)) {
	out := &initAnswer{Root: o.Root, Applied: !f.dryRun, Changes: []initChange{}}
	if out.Root == "" {
		out.Root = filepath.Dir(o.Settings)
	}
	for i := range plan.Changes {
		c := &plan.Changes[i]
		shown := initChange{Path: c.Path, Change: c.Kind(), Reasons: c.Reasons, short: short(o, c.Path)}
		if f.dryRun {
			shown.Diff = c.Diff(strings.TrimPrefix(shown.short, "/"))
		}
		out.Changes = append(out.Changes, shown)
	}
	if !f.dryRun && !f.uninstall {
		out.Next = nextSteps(o)
	}
	return out, func(p *app.Printer) { printInit(p, out, f) }
}

func nextSteps(o *setup.Options) []string {
	begin := "start Claude Code in " + o.Root + " (a session that begins in a folder below does not read these settings; with init --user every session does)"
	if o.Root == "" {
		begin = "start Claude Code in any project"
	}
	return []string{begin, `run "guardrails doctor --live", which proves that each hook fires`}
}

// short is a path as it is read from a project's root.
func short(o *setup.Options, path string) string {
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
	told := printFilled(p, answer.Store, f)
	switch {
	case len(answer.Changes) == 0 && f.uninstall:
		p.Line("there is nothing to take out")
	case len(answer.Changes) == 0 && !told:
		p.Line("everything is in place; nothing to change")
	}
	if len(answer.Next) > 0 {
		p.Line("\nNext")
	}
	for i, step := range answer.Next {
		p.Line("  %d. %s", i+1, app.Flat(step))
	}
}

// filled says what the store got, and where the packs say something else than it; false is nothing.
func printFilled(p *app.Printer, s *initStore, f *initFlags) bool {
	if s == nil {
		return false
	}
	verb := "filled  "
	if f.dryRun {
		verb = "would fill"
	}
	if f.dryRun && s.Error != "" {
		p.Line("%s the store: %s", p.Paint(app.Yellow, "would not fill"), app.Flat(s.Error))
	}
	if len(s.Added) > 0 {
		p.Line("%s %s", p.Paint(app.Bold, verb), s.Place)
		p.Line("         with %s of %s for %s", app.Count(len(s.Added), "guideline"), strings.Join(s.Packs, " and "), tenantText(s.Tenant))
	}
	if len(s.Differ) > 0 {
		p.Line("kept     what the store has otherwise than %s: %s", strings.Join(s.Packs, " and "), strings.Join(s.Differ, ", "))
		p.Line("         to take what the pack says: guardrails import %s --on-conflict update", strings.Join(s.Packs, " "))
	}
	return len(s.Added)+len(s.Differ) > 0 || s.Error != ""
}

// tenantText says who shares the guidelines of a tenant.
func tenantText(tenant string) string {
	if tenant == "" {
		return "every project that names no tenant"
	}
	return "every project of the tenant " + app.Flat(tenant)
}

// diff writes a unified diff, what goes in red and what comes in green.
func printDiff(p *app.Printer, text string) {
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\r\n")
		shade := app.Color("")
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
