package decide

import (
	"strconv"

	"guardrails/detect/effect"
	"guardrails/guideline"
)

// limits() asks a person about each effect that exceeds a limit on the session: too many changed or committed files, a
// commit of source code without tests, or a push or merge without a review.
func (j *judge) limits() {
	if !j.limitsAnything() {
		return
	}
	j.before = before{}
	most := j.steps + MaxSteps/len(j.layers)
	for i := range j.call.Effects {
		if j.steps > most {
			j.limitRest(restOf(j.call, i))
			return
		}
		switch e := &j.call.Effects[i]; {
		case e.Has(effect.Commit):
			j.limitCommit(i)
		case ChangesProject(e):
			j.limitFiles(i)
		}
		j.limitReview(i)
	}
}

func (j *judge) limitsAnything() bool {
	return j.set.Any(func(g *guideline.Guideline) bool { return isLimit(&g.Action) })
}

func isLimit(a *guideline.Action) bool {
	return a.MaxFiles != nil || a.RequireTests != nil || a.RequireReview != nil
}

// If the limits would take too many steps, the judge does not check all effects one by one. For the remaining effects,
// limitRest asks a person.
func (j *judge) limitRest(rest *effect.Effect) {
	for _, event := range rest.Events {
		if g := j.limiting(rest, event, anyLimit); g != nil {
			j.ask(g, -1, "the call has too many effects to check each of them against this guideline.")
			return
		}
	}
}

func (j *judge) limitFiles(i int) {
	e := &j.call.Effects[i]
	g := j.limiting(e, e.FileEvent(), mostFiles)
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
	names := j.changes.Of(i)
	last := 0
	for _, name := range names {
		last = max(last, session.ordinal(name))
	}
	switch {
	case last <= most && j.changes.Incomplete:
		j.ask(g, i, "the call changes so many files that they cannot be counted; the limit is "+strconv.Itoa(most)+".")
	case last <= most:
	case len(names) == 1:
		j.ask(g, i, "the call changes "+names[0]+", the "+ordinal(last)+" file since the last commit; the limit is "+
			strconv.Itoa(most)+".")
	default:
		j.ask(g, i, "the call changes "+listed(names)+", which makes "+strconv.Itoa(last)+
			" since the last commit; the limit is "+strconv.Itoa(most)+".")
	}
}

// limitReview asks a person about a merge of another branch and about a push to the default branch, if a review is
// required.
func (j *judge) limitReview(i int) {
	e := &j.call.Effects[i]
	for _, event := range [...]effect.Event{effect.Merge, effect.DefaultPush} {
		if !e.Has(event) || event == effect.Merge && e.Updates {
			continue
		}
		g := j.limiting(e, event, requiresReview)
		if g != nil && *g.Action.RequireReview {
			what := "a merge"
			if event == effect.DefaultPush {
				what = "a push to the default branch"
			}
			j.ask(g, i, what+" needs a review first.")
			return
		}
	}
}

func (j *judge) ask(g *guideline.Guideline, effect int, seen string) {
	j.append(Finding{Guideline: g, Outcome: Ask, Effect: effect, Seen: seen})
}

// A function of the type limit returns how strict one kind of limit in an action is. A larger number is stricter. The
// result "sets" is false if the action has no such limit.
type limit func(a *guideline.Action) (strictness int, sets bool)

func anyLimit(a *guideline.Action) (int, bool) { return 0, isLimit(a) }

func mostFiles(a *guideline.Action) (int, bool) {
	if a.MaxFiles == nil {
		return 0, false
	}
	return -*a.MaxFiles, true
}

func requiresTests(a *guideline.Action) (int, bool) { return required(a.RequireTests) }

func requiresReview(a *guideline.Action) (int, bool) { return required(a.RequireReview) }

func required(value *bool) (int, bool) {
	if value == nil || !*value {
		return 0, value != nil
	}
	return 1, true
}

// limiting() returns the guideline that sets a limit and applies to an effect, or nil if there is none. Of several such
// guidelines, it returns the guideline with the highest priority. If several have this priority, it returns the
// guideline with the strictest limit.
func (j *judge) limiting(e *effect.Effect, event effect.Event, l limit) (found *guideline.Guideline) {
	strictest := 0
	for _, m := range j.matching(e, event) {
		strictness, sets := l(&m.Guideline.Action)
		switch {
		case !sets:
		case found == nil, m.Guideline.Priority == found.Priority && strictness > strictest:
			found, strictest = m.Guideline, strictness
		case m.Guideline.Priority < found.Priority:
			return found
		}
	}
	return found
}

// sessionSoFar returns what the session did before this call. It reads the session only once per call.
func (j *judge) sessionSoFar() (*soFar, error) {
	if j.session == nil {
		j.session = &soFar{}
		if j.facts.Session != nil {
			j.session.Session, j.sessionError = j.facts.Session()
		}
	}
	return j.session, j.sessionError
}

// soFar is a session with indexes of its files. The indexes are nil until they are needed.
type soFar struct {
	Session
	changed, untested *fileSet
}

// ordinal returns the position of a file in the list of changed files. The first file has the position 1. If the file
// is not in the list, ordinal adds it at the end.
func (s *soFar) ordinal(file string) int {
	if s.changed == nil {
		s.changed = newFileSet(s.Changed)
	}
	s.changed.add(file)
	return s.changed.at[file]
}

func files(n int) string {
	if n == 1 {
		return "1 file"
	}
	return strconv.Itoa(n) + " files"
}

const shownFiles = 3

// listed() describes a list of files: the number of files, and the names of the first files.
func listed(names []string) string {
	out := files(len(names)) + " ("
	for i, name := range names[:min(len(names), shownFiles)] {
		if i > 0 {
			out += ", "
		}
		out += name
	}
	if more := len(names) - shownFiles; more > 0 {
		out += " and " + strconv.Itoa(more) + " more"
	}
	return out + ")"
}

// ordinal returns a number as text, such as 1st, 2nd, 3rd or 4th.
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
