package decide

import (
	"slices"
	"strconv"

	"guardrails/detect/effect"
	"guardrails/guideline"
	"guardrails/guideline/pattern"
)

// limits adds a question for each effect that exceeds a limit on the session: the number of files that it changes, a
// commit without tests, a push or merge without a review.
func (j *judge) limits() {
	tested := false
	for i := range j.call.Effects {
		e := &j.call.Effects[i]
		tested = tested || e.Has(effect.TestRun)
		switch {
		case e.Has(effect.Commit):
			j.limitCommit(i, tested)
		case ChangesProject(e):
			j.limitFiles(i)
		}
		for _, event := range [...]effect.Event{effect.Merge, effect.Push} {
			if e.Has(event) {
				j.limitReview(i, event)
			}
		}
	}
}

// ChangesProject reports whether an effect changes a file of the project, so that it counts for max_files.
func ChangesProject(e *effect.Effect) bool {
	if e.Kind != effect.Write && e.Kind != effect.Delete || e.Inert {
		return false
	}
	return e.Path != "" && !e.IsTemporary() && !pattern.IsRooted(e.Path)
}

func (j *judge) limitFiles(i int) {
	e := &j.call.Effects[i]
	g := j.limiting(e, "", func(a *guideline.Action) bool { return a.MaxFiles != nil })
	if g == nil {
		return
	}
	most := *g.Action.MaxFiles
	session, err := j.sessionSoFar()
	if err != nil {
		j.ask(g, i, "this session's record of changed files cannot be read ("+err.Error()+"), so the limit of "+files(most)+
			" cannot be checked.")
		return
	}
	if n := session.ordinal(e.Path); n > most {
		j.ask(g, i, "the call changes "+e.Path+", the "+ordinal(n)+" file since the last commit; the limit is "+
			strconv.Itoa(most)+".")
	}
}

func (j *judge) limitCommit(i int, tested bool) {
	g := j.limiting(&j.call.Effects[i], effect.Commit, func(a *guideline.Action) bool { return a.RequireTests != nil })
	if g == nil || !*g.Action.RequireTests || tested {
		return
	}
	switch session, err := j.sessionSoFar(); {
	case err != nil:
		j.ask(g, i, "this session's record of tests cannot be read ("+err.Error()+").")
	case session.Tests == TestsMissing:
		j.ask(g, i, "no test command has run since a source file was last changed in this session.")
	}
}

func (j *judge) limitReview(i int, event effect.Event) {
	g := j.limiting(&j.call.Effects[i], event, func(a *guideline.Action) bool { return a.RequireReview != nil })
	if g != nil && *g.Action.RequireReview {
		j.ask(g, i, "a "+string(event)+" needs a review first.")
	}
}

func (j *judge) ask(g *guideline.Guideline, effect int, seen string) {
	j.append(Finding{Guideline: g, Outcome: Ask, Effect: effect, Seen: seen})
}

// limiting returns the guideline of the highest priority that applies to an effect and sets a limit; nil if none does.
func (j *judge) limiting(e *effect.Effect, event effect.Event, sets func(*guideline.Action) bool) *guideline.Guideline {
	for _, m := range j.matching(e, event) {
		if sets(&m.Guideline.Action) {
			return m.Guideline
		}
	}
	return nil
}

// sessionSoFar returns the session's record. It reads the record only once per call.
func (j *judge) sessionSoFar() (*Session, error) {
	if j.session == nil {
		j.session = &Session{}
		if j.facts.Session != nil {
			*j.session, j.sessionError = j.facts.Session()
		}
	}
	return j.session, j.sessionError
}

// ordinal returns the position of a file among those that were changed since the last commit, counted from one. A file
// that has not been changed yet comes last, and counts for the files after it.
func (s *Session) ordinal(file string) int {
	if i := slices.Index(s.Changed, file); i >= 0 {
		return i + 1
	}
	s.Changed = append(slices.Clip(s.Changed), file)
	return len(s.Changed)
}

func files(n int) string {
	if n == 1 {
		return "1 file"
	}
	return strconv.Itoa(n) + " files"
}

// ordinal writes a number as 1st, 2nd, 3rd, 4th.
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
