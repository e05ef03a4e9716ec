package git

import (
	"slices"
	"strings"

	"guardrails/detect/effect"
	"guardrails/detect/toolcall/trace"
	"guardrails/guideline/pattern"
)

// commitOf returns what is known about the commit that a command makes.
func commitOf(t *trace.Trace, g *gitCall) *effect.CommitFacts {
	c := &effect.CommitFacts{Elsewhere: !mayChangeProject(t, g.Scope) || g.Scope.Container != nil}
	t.Require()
	if !mayBeProject(t, g.Scope) {
		return c
	}
	p := askGit(t, g)
	if p == nil {
		return c
	}
	c.Elsewhere, c.Head, c.Merging = p.Elsewhere, p.Head, p.Merging
	if c.Known = g.verb == "commit"; c.Known && !c.Elsewhere {
		addContents(t, g, c)
	}
	return c
}

// askGit asks git about the working tree in which a command runs. If git's last answer still applies, askGit returns
// that answer.
func askGit(t *trace.Trace, g *gitCall) *trace.Pending {
	if t.Env.Pending == nil {
		return nil
	}
	dir := g.Scope.Cwd
	if g.Scope.CwdUnknown || dir == "" {
		dir = t.Env.Root
	}
	all := &t.Commits
	untracked := len(t.Staged) > 0 || t.Stages >= newToo
	if !all.Asked || all.AskedDir != dir || untracked && !all.AskedNew {
		all.Asked, all.AskedDir, all.AskedNew = true, dir, untracked
		t.Spend(trace.StepsOfGit)
		all.Answer = t.Env.Pending(dir, untracked)
	}
	return all.Answer
}

// addContents adds the files that a commit contains. These are the files that git has already staged, and the files
// that this command or an earlier command of the call adds. addContents omits files that an earlier command of the call
// has committed.
func addContents(t *trace.Trace, g *gitCall, c *effect.CommitFacts) {
	all := &t.Commits
	s := stagedBy(t, g)
	for _, f := range all.Answer.Files {
		if s.takes(&f) && !slices.Contains(all.Done, f.Name) {
			c.Files = append(c.Files, f.Name)
		}
	}
	for i := all.Effects; i < len(t.Effects); i++ {
		e := &t.Effects[i]
		if !isChange(e) || !s.takesChange(e.Path) || slices.Contains(c.Files, e.Path) {
			continue
		}
		if e.Glob || e.Tree {
			c.Globs = append(c.Globs, e.Path)
		} else {
			c.Files = append(c.Files, e.Path)
		}
	}
	all.Done = append(all.Done, c.Files...)
	all.Staged, all.Effects = len(t.Staged), len(t.Effects)
	t.Stages = noStaging
}

// isChange reports whether an effect changes a file of the project.
func isChange(e *effect.Effect) bool {
	return (e.Kind == effect.Write || e.Kind == effect.Delete) && e.Path != "" && !e.Unknown &&
		!pattern.IsRooted(e.Path) &&
		!isWholeProject(e.Path)
}

// The type "selection" says which files a commit contains.
type selection struct {
	// The field "staged" is set if the commit contains the files that are already in the index.
	staged bool
	// The field "changed" is set if the commit contains all changed files. The field "untracked" is set if the
	// commit contains all untracked files.
	changed, untracked bool
	paths              []string
}

// stagedBy returns a selection of the files that a commit contains. The selection depends on the options and operands
// of the command, and on what earlier commands of the call have staged.
func stagedBy(t *trace.Trace, g *gitCall) selection {
	takes := max(t.Stages, g.commitStaging())
	s := selection{
		staged: !resetsIndex(t), changed: takes >= changedToo, untracked: takes >= newToo,
		paths: slices.Clone(t.Staged[t.Commits.Staged:]),
	}
	if len(g.o.Operands) == 0 || g.mayNameAnyFile() {
		return s
	}
	// If operands name files, git commits only those files and leaves out other staged files.
	if !g.o.Has("i include") {
		s = selection{}
	}
	for _, v := range g.o.Operands {
		name := t.Place(v, g.Scope).Name
		s.changed = s.changed || isWholeProject(name)
		s.paths = append(s.paths, name)
	}
	return s
}

// resetsIndex reports whether an earlier command of the call unstages all files.
func resetsIndex(t *trace.Trace) bool {
	return slices.ContainsFunc(t.Effects[t.Commits.Effects:], func(e effect.Effect) bool {
		return e.Kind == effect.Run && (e.Command == "git reset" || e.Command == "git reset HEAD" ||
			e.Command == "git reset -q")
	})
}

func (s *selection) takes(f *trace.PendingFile) bool {
	return f.Staged && s.staged || f.Changed && s.changed || f.Untracked && s.untracked || s.includesFile(f.Name)
}

// takesChange reports whether the commit contains the file with this name. It is for a file that the call itself has
// changed.
func (s *selection) takesChange(name string) bool {
	return s.changed || s.untracked || s.includesFile(name)
}

// includesFile reports whether the paths of s include a file. A path may be the file, a folder that contains the file,
// or a pattern that matches the file.
func (s *selection) includesFile(file string) bool {
	return slices.ContainsFunc(s.paths, func(p string) bool {
		if p == file || strings.HasPrefix(file, strings.TrimSuffix(p, "/")+"/") {
			return true
		}
		if !strings.ContainsAny(p, "*?[") {
			return false
		}
		glob, err := pattern.CompileGlob(p)
		return err == nil && glob.Match(file)
	})
}

// stageChanges notes that a command stages its own changes, as "git rm" and "git mv" do.
func stageChanges(t *trace.Trace, from int) {
	for i := min(from, len(t.Effects)); i < len(t.Effects); i++ {
		if e := &t.Effects[i]; isChange(e) {
			t.Staged = append(t.Staged, e.Path)
		}
	}
}
