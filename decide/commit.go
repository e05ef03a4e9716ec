package decide

import (
	"slices"
	"strconv"

	"guardrails/detect/effect"
	"guardrails/guideline"
	"guardrails/guideline/pattern"
)

// limitCommit checks the limits on a commit: how many files it contains, and whether its source code was tested. The
// limits do not apply to a commit in another repository.
func (j *judge) limitCommit(i int) {
	e := &j.call.Effects[i]
	if e.Commit != nil && e.Commit.Elsewhere {
		return
	}
	j.limitCommitSize(i)
	g := j.limiting(e, effect.Commit, func(a *guideline.Action) bool { return a.RequireTests != nil })
	if g == nil || !*g.Action.RequireTests {
		return
	}
	if why := j.untested(i); why != "" {
		j.ask(g, i, why)
	}
}

// limitCommitSize asks a person about a commit with too many files. A commit that completes a merge has no limit,
// because it contains the work of others.
func (j *judge) limitCommitSize(i int) {
	e := &j.call.Effects[i]
	g := j.limiting(e, effect.Commit, func(a *guideline.Action) bool { return a.MaxFiles != nil })
	if g == nil || e.Commit == nil || e.Commit.Merging {
		return
	}
	most := *g.Action.MaxFiles
	names, err := j.commitFiles(i)
	switch {
	case err != nil:
		j.ask(g, i, "it is not known which files the commit contains ("+err.Error()+"), so the limit of "+files(most)+
			" cannot be checked.")
	case len(names) > most:
		j.ask(g, i, "the commit contains "+listed(names)+"; the limit is "+strconv.Itoa(most)+".")
	}
}

// commitFiles returns the files that a commit would contain. If git does not say which, it returns the files that the
// session has changed since the last commit.
func (j *judge) commitFiles(i int) ([]string, error) {
	c := j.call.Effects[i].Commit
	if c.Known {
		names := slices.Clone(c.Files)
		x := &expansion{list: j.facts.List, left: maxListed}
		for _, glob := range c.Globs {
			if x.list != nil {
				x.matching(glob, false)
				x.below(glob, glob)
			}
		}
		for _, name := range x.sorted() {
			if !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
		return names, nil
	}
	session, err := j.sessionSoFar()
	if err != nil {
		return nil, err
	}
	return session.Changed, nil
}

// untested returns a text about the source code in a commit that has changed since the tests last passed. It returns ""
// if there is no such code, if the project has no tests, or if the call makes the commit only after a test has passed.
func (j *judge) untested(i int) string {
	e := &j.call.Effects[i]
	changed, tested := j.changedBefore(i)
	var session *Session
	if !tested {
		var err error
		if session, err = j.sessionSoFar(); err != nil {
			return "this session's record of tests cannot be read (" + err.Error() + ")."
		}
		passed := j.passed(session)
		if !passed {
			changed = append(slices.Clone(session.Untested), changed...)
		}
		if (passed || session.Tests == TestsUpToDate) && len(changed) == 0 {
			return ""
		}
	} else if len(changed) == 0 {
		return ""
	}
	name, concerned := j.untestedFile(e, changed)
	if !concerned {
		return ""
	}
	project := ProjectTests{}
	if j.facts.Tests != nil {
		project = j.facts.Tests()
	}
	if project.None && !slices.ContainsFunc(changed, IsTestFile) {
		return ""
	}
	return untestedReason(name, project.Command, session != nil && session.Tests == TestsFailed)
}

func untestedReason(name, command string, failed bool) string {
	what := "source code of this commit"
	if name != "" {
		what = name
	}
	out := "no test command has succeeded since " + what + " was last changed"
	if failed {
		out = "the tests failed when they last ran, and " + what + " has changed since they passed"
	}
	if command != "" {
		out += "; run " + command + " first"
	}
	return out + "."
}

// untestedFile looks for a file of the commit that is changed source code. It returns true if there is or may be such a
// file. It returns the name of the file if it is known.
func (j *judge) untestedFile(e *effect.Effect, changed []string) (string, bool) {
	if e.Commit == nil || !e.Commit.Known {
		if len(changed) > 0 {
			return changed[0], true
		}
		return "", true
	}
	source := ""
	for _, name := range e.Commit.Files {
		if !IsSource(name) {
			continue
		}
		if slices.Contains(changed, name) {
			return name, true
		}
		source = name
	}
	return "", len(changed) == 0 && source != "" || slices.ContainsFunc(e.Commit.Globs, IsSource)
}

// changedBefore returns the source files that the call writes before the commit and after the last test on which the
// commit depends. If there is such a test, tested is true.
func (j *judge) changedBefore(commit int) (changed []string, tested bool) {
	for i := range j.call.Effects[:commit] {
		e := &j.call.Effects[i]
		if e.Required && (e.Has(effect.TestRun) || IsListed(j.layers[j.layer].TestCommands, e.Command)) {
			changed, tested = nil, true
			continue
		}
		if e.Kind != effect.Write || !ChangesProject(e) || !IsSource(e.Path) {
			continue
		}
		changed = append(changed, ChangedFiles(j.call, i, j.facts.List)...)
	}
	return changed, tested
}

// passed reports whether a test command of the current layer has succeeded since source code was last changed.
func (j *judge) passed(session *Session) bool {
	for _, command := range session.Passed {
		if IsListed(j.layers[j.layer].TestCommands, command) {
			return true
		}
	}
	return false
}

// IsListed reports whether a command is in a list of test commands. The entries have the syntax of the text in
// parentheses in a pattern such as Bash(npm test:*).
func IsListed(list []string, command string) bool {
	for _, text := range list {
		if p, err := pattern.CompileTool("Bash(" + text + ")"); err == nil && p.MatchCommand(command) {
			return true
		}
	}
	return false
}
