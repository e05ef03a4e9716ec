package setup

import (
	"path/filepath"
	"strings"

	"guardrails/cli/app"
	"guardrails/service/packcopies"
	"guardrails/setup"
)

// initAnswer describes what init has changed. With --dry-run, it describes what init would change.
type initAnswer struct {
	// Root is the project, or the folder of the user's own settings.
	Root    string       `json:"root"`
	Applied bool         `json:"applied"`
	Changes []initChange `json:"changes"`
	// Store is nil if init does nothing with the store.
	Store *storeChange `json:"store,omitempty"`
	// The field "Next" lists the next steps for the user.
	Next []string `json:"next,omitempty"`
}

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
	return s == nil || !s.Created && s.Error == "" &&
		(s.Updated == nil || len(s.Renewed)+len(s.Removed)+len(s.Kept) == 0)
}

// printStoreChange prints whether the store was created, and what happened to the copies of packs in the store.
func printStoreChange(p *app.Printer, s *storeChange, dryRun bool) {
	if s == nil {
		return
	}
	created, changed := "created", "changed"
	if dryRun {
		created, changed = "would create", "would change"
	}
	if dryRun && s.Error != "" {
		p.Line("%s the store: %s", p.Paint(app.Yellow, "cannot use"), app.Flat(s.Error))
	}
	if s.Created {
		p.Line("%-8s %s", p.Paint(app.Bold, created), s.Location)
		p.Line("         the store, for the audit and for guidelines that you change")
	}
	if s.Updated == nil {
		return
	}
	if len(s.Renewed)+len(s.Removed) > 0 {
		p.Line("%-8s %s", p.Paint(app.Bold, changed), s.Location)
	}
	if len(s.Renewed) > 0 {
		p.Line("         replaces these guidelines with the text of the installed packs: %s", strings.Join(s.Renewed, ", "))
	}
	if len(s.Removed) > 0 {
		p.Line("         removes what the installed packs no longer have: %s", strings.Join(s.Removed, ", "))
	}
	if len(s.Kept) > 0 {
		p.Line("kept     these guidelines of packs, which somebody changed in the store: %s", keptIDs(s.Kept))
		p.Line("         to see the changes, run: guardrails packs diff")
	}
}

func keptIDs(kept []packcopies.Copy) string {
	var ids []string
	for i := range kept {
		ids = append(ids, kept[i].ID)
	}
	return strings.Join(ids, ", ")
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
