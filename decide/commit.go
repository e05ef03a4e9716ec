package decide

import (
	"errors"
	"slices"
	"strconv"

	"guardrails/detect/effect"
	"guardrails/guideline/pattern"
)

// limitCommit checks the limits on a commit: it may contain only so many files, and its source code must have been
// tested. The limits do not apply to a commit in another repository.
func (j *judge) limitCommit(i int) {
	e := &j.call.Effects[i]
	if e.Commit != nil && e.Commit.Elsewhere {
		return
	}
	j.limitCommitSize(i)
	g := j.limiting(e, effect.Commit, requiresTests)
	if g == nil || !*g.Action.RequireTests {
		return
	}
	if why := j.untested(i); why != "" {
		j.ask(g, i, why)
	}
}

// limitCommitSize asks a person about a commit with too many files. A commit that completes a merge has no limit,
// because it contains the work of other people.
func (j *judge) limitCommitSize(i int) {
	e := &j.call.Effects[i]
	g := j.limiting(e, effect.Commit, mostFiles)
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

// commitFiles returns the files that a commit would contain. If git does not report these files, it returns the files
// that the session has changed since the last commit.
func (j *judge) commitFiles(i int) ([]string, error) {
	c := j.call.Effects[i].Commit
	if c.Known {
		if len(c.Globs) == 0 || j.facts.List == nil {
			return c.Files, nil
		}
		x := j.changes.expansion()
		for _, glob := range c.Globs {
			x.matching(glob, false)
			x.addBelow(glob, glob)
		}
		if j.changes.Incomplete {
			return nil, errTooMany
		}
		files := newFileSet(c.Files)
		files.add(x.sorted()...)
		return files.names, nil
	}
	session, err := j.sessionSoFar()
	if err != nil {
		return nil, err
	}
	return session.Changed, nil
}

var errTooMany = errors.New("the call changes too many files")

// untested() returns a text about source code that is in a commit and has changed since the tests last passed. It
// returns "" if there is no such code or if the project has no tests. It also returns "" if the call makes the commit
// only after a test has passed.
func (j *judge) untested(i int) string {
	e := &j.call.Effects[i]
	changed := changedLists{j.changedBefore(i).changed}
	var session *soFar
	if !j.before.tested {
		var err error
		if session, err = j.sessionSoFar(); err != nil {
			return "this session's record of tests cannot be read (" + err.Error() + ")."
		}
		passed := j.passed(session)
		if !passed {
			changed = changedLists{session.untestedFiles(), changed[0]}
		}
		if (passed || session.Tests == TestsUpToDate) && changed.first() == "" {
			return ""
		}
	} else if changed.first() == "" {
		return ""
	}
	name, concerned := untestedFile(e, changed)
	if !concerned {
		return ""
	}
	project := ProjectTests{}
	if j.facts.Tests != nil {
		project = j.facts.Tests()
	}
	if project.None && !changed.haveTest() {
		return ""
	}
	return untestedReason(name, project.Command, session != nil && session.Tests == TestsFailed)
}

// fileSet is a list of files without repetitions. The map contains the position of each file in the list, counted from
// 1.
type fileSet struct {
	names []string
	at    map[string]int
	// The field "test" is set if one of the files contains tests. The field "looked" is the number of files that the
	// method hasTest has checked.
	test   bool
	looked int
}

func (s *fileSet) hasTest() bool {
	for ; s.looked < len(s.names) && !s.test; s.looked++ {
		s.test = IsTestFile(s.names[s.looked])
	}
	return s.test
}

func newFileSet(names []string) *fileSet {
	s := &fileSet{at: map[string]int{}}
	s.add(names...)
	return s
}

func (s *fileSet) add(names ...string) {
	for _, name := range names {
		if s.at[name] == 0 {
			s.names = append(s.names, name)
			s.at[name] = len(s.names)
		}
	}
}

func (s *soFar) untestedFiles() *fileSet {
	if s.untested == nil {
		s.untested = newFileSet(s.Untested)
	}
	return s.untested
}

// changedLists holds two lists of source files: those that changed before a call, and those that the call changes.
// Either list may be nil.
type changedLists [2]*fileSet

// first() returns the name of the first file in the lists, or "" if both lists are empty.
func (l changedLists) first() string {
	for _, s := range l {
		if s != nil && len(s.names) > 0 {
			return s.names[0]
		}
	}
	return ""
}

func (l changedLists) have(name string) bool {
	return l[0].at[name] > 0 || l[1] != nil && l[1].at[name] > 0
}

// haveTest reports whether one of the files contains tests.
func (l changedLists) haveTest() bool {
	return l[0].hasTest() || l[1] != nil && l[1].hasTest()
}

func untestedReason(name, command string, failed bool) string {
	what := "the source code of this commit"
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

// untestedFile looks for changed source code among the files of a commit. It returns true if the commit contains or may
// contain such a file. It also returns the name of the file if it is known.
func untestedFile(e *effect.Effect, changed changedLists) (string, bool) {
	if e.Commit == nil || !e.Commit.Known {
		return changed.first(), true
	}
	source := ""
	for _, name := range e.Commit.Files {
		if !IsSource(name) {
			continue
		}
		if changed.have(name) {
			return name, true
		}
		source = name
	}
	return "", changed.first() == "" && source != "" || slices.ContainsFunc(e.Commit.Globs, IsSource)
}

// The type "before" says what a call does before it makes a commit. The field "tested" is set if the call makes
// the commit only after a test command has succeeded. The field "changed" has the source files that the call writes
// after the last such test command.
type before struct {
	changed *fileSet
	tested  bool
	// The field "effects" is the number of effects that have been read. The field "commands" has the test commands
	// of the layer.
	effects  int
	commands TestCommands
	// The field "passed" is set if a test command of the layer has succeeded since source code was last changed. It is
	// nil if the judge has not checked that yet.
	passed *bool
}

// changedBefore returns what the call does before a commit. For each layer, the judge must use this function once per
// commit, in the order in which the commits appear in the tool call.
func (j *judge) changedBefore(commit int) *before {
	b := &j.before
	if b.changed == nil {
		b.changed = newFileSet(nil)
	}
	for ; b.effects < commit; b.effects++ {
		e := &j.call.Effects[b.effects]
		if e.Required && (e.Has(effect.TestRun) || j.testCommands().List(e.Command)) {
			b.changed, b.tested = newFileSet(nil), true
			continue
		}
		if e.Kind != effect.Write || !ChangesProject(e) || !IsSource(e.Path) {
			continue
		}
		b.changed.add(j.changes.Of(b.effects)...)
	}
	return b
}

func (j *judge) testCommands() TestCommands {
	if j.before.commands == nil {
		j.before.commands = CompileTests(j.layers[j.layer].TestCommands)
	}
	return j.before.commands
}

// passed() reports whether a test command of the current layer has succeeded since source code was last changed.
func (j *judge) passed(session *soFar) bool {
	if j.before.passed == nil {
		passed := slices.ContainsFunc(session.Passed, j.testCommands().List)
		j.before.passed = &passed
	}
	return *j.before.passed
}

// TestCommands is a compiled list of test commands.
type TestCommands []*pattern.Tool

// CompileTests compiles a list of test commands. An entry is written like the text between the parentheses in a pattern
// such as Bash(npm test:*). Entries with an error match nothing.
func CompileTests(list []string) TestCommands {
	out := make(TestCommands, 0, len(list))
	for _, text := range list {
		if p, err := pattern.CompileTool("Bash(" + text + ")"); err == nil {
			out = append(out, p)
		}
	}
	return out
}

// List reports whether a command is in the list.
func (t TestCommands) List(command string) bool {
	return slices.ContainsFunc(t, func(p *pattern.Tool) bool { return p.MatchCommand(command) })
}
