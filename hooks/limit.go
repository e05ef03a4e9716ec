package hooks

import (
	"path"
	"slices"
	"strconv"
	"strings"

	"guardrails/decide"
	"guardrails/detect/toolcall"
	"guardrails/evaluator"
	"guardrails/guideline"
	"guardrails/hooks/session"
)

// Limits rest on what a session did before: how many files it has changed, whether tests have run.

// limit adds a question for each effect that goes over a limit.
func (j *judging) limit(d *decide.Decision) {
	tested := false
	for i := range j.call.Effects {
		e := &j.call.Effects[i]
		tested = tested || e.Has(toolcall.TestRun)
		switch {
		case e.Has(toolcall.Commit):
			j.limitCommit(d, i, tested)
		case inProject(e):
			j.limitFiles(d, i)
		}
		for _, event := range [...]toolcall.Event{toolcall.Merge, toolcall.Push} {
			if e.Has(event) {
				j.limitReview(d, i, event)
			}
		}
	}
}

// inProject reports whether an effect changes a file of the project.
func inProject(e *toolcall.Effect) bool {
	return (e.Kind == toolcall.Write || e.Kind == toolcall.Delete) && e.Path != "" && !e.Inert && !e.IsScratch() && !guideline.IsRooted(e.Path)
}

func (j *judging) limitFiles(d *decide.Decision, i int) {
	e := &j.call.Effects[i]
	g := j.deciding(e, "", func(a *guideline.Action) bool { return a.MaxFiles != nil })
	if g == nil {
		return
	}
	most := *g.Action.MaxFiles
	place, err := j.placeOf(e.Path)
	switch {
	case err != nil:
		j.add(d, g, i, "this session's record of changed files cannot be read ("+err.Error()+"), so the limit of "+count(most, "file")+" cannot be checked.")
	case place > most:
		j.add(d, g, i, "the call changes "+e.Path+", the "+ordinal(place)+" file since the last commit; the limit is "+strconv.Itoa(most)+".")
	}
}

// placeOf notes that a file is about to be changed and says the how manyth it is since the last commit. It is noted before
// it is counted, so that calls at the same time count each other.
func (j *judging) placeOf(name string) (int, error) {
	if j.w.Dir == nil {
		return 0, j.w.DirError
	}
	entry := session.Entry{Kind: session.Wrote, Path: name, ToolUseID: j.e.ToolUseID, Planned: true}
	if err := j.w.Dir.Note(j.e.Session, entry); err != nil {
		return 0, err
	}
	state, err := j.w.Dir.Ledger(j.e.Session)
	if err != nil {
		return 0, err
	}
	return slices.Index(state.Files, name) + 1, nil
}

func (j *judging) limitCommit(d *decide.Decision, i int, tested bool) {
	e := &j.call.Effects[i]
	g := j.deciding(e, toolcall.Commit, func(a *guideline.Action) bool { return a.RequireTests != nil })
	if g == nil || !*g.Action.RequireTests || tested {
		return
	}
	if j.w.Dir == nil {
		j.add(d, g, i, "this session's record of tests cannot be read ("+j.w.DirError.Error()+").")
		return
	}
	state, err := j.w.Dir.Ledger(j.e.Session)
	switch {
	case err != nil:
		j.add(d, g, i, "this session's record of tests cannot be read ("+err.Error()+").")
	case !state.TestedSinceWrite:
		j.add(d, g, i, "no test command has run since a source file was last changed in this session.")
	}
}

func (j *judging) limitReview(d *decide.Decision, i int, event toolcall.Event) {
	e := &j.call.Effects[i]
	g := j.deciding(e, event, func(a *guideline.Action) bool { return a.RequireReview != nil })
	if g != nil && *g.Action.RequireReview {
		j.add(d, g, i, "a "+string(event)+" needs a review first.")
	}
}

func (j *judging) add(d *decide.Decision, g *guideline.Guideline, effect int, seen string) {
	d.Findings = append(d.Findings, decide.Finding{Guideline: g, Outcome: decide.Ask, Effect: effect, Seen: seen})
}

// deciding is the guideline of the highest priority that holds for an effect and sets a limit.
func (j *judging) deciding(e *toolcall.Effect, event toolcall.Event, sets func(*guideline.Action) bool) *guideline.Guideline {
	for _, m := range j.matches(e, event) {
		if sets(&m.Guideline.Action) {
			return m.Guideline
		}
	}
	return nil
}

func (j *judging) matches(e *toolcall.Effect, event toolcall.Event) []evaluator.Match {
	q := evaluator.Query{Context: j.context, Places: e.Places()}
	q.Event = string(event)
	return j.set.Match(&q, nil)
}

// isSource reports whether a file is source code, after a change of which tests are expected to run.
func isSource(name string) bool {
	switch ext := strings.ToLower(path.Ext(name)); ext {
	case ".md", ".mdx", ".txt", ".rst", ".adoc", ".log", ".csv", ".png", ".jpg", ".jpeg", ".gif", ".svg", ".ico", ".webp", ".pdf", ".lock", ".sum":
		return false
	case "":
		base := path.Base(name)
		return base == "Makefile" || base == "Dockerfile" || base == "Justfile" || base == "Rakefile"
	}
	return true
}

func ordinal(n int) string {
	suffix := "th"
	if n%100 < 11 || n%100 > 13 {
		switch n % 10 {
		case 1:
			suffix = "st"
		case 2:
			suffix = "nd"
		case 3:
			suffix = "rd"
		}
	}
	return strconv.Itoa(n) + suffix
}
