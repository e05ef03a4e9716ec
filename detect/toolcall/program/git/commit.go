package git

import (
	"slices"
	"strings"

	"guardrails/detect/effect"
	"guardrails/detect/toolcall/trace"
	"guardrails/detect/toolcall/words"
)

const (
	noStaging  trace.Staging = iota
	stagedOnly               // only staged files
	changedToo               // staged and changed files
	newToo                   // staged, changed and untracked files
)

// stepsOfFile is the number of steps that the analysis counts for each file of a commit. This number includes the steps
// for judging the commit later.
const stepsOfFile = 60

// MaxPending limits how many files of one commit the analysis considers.
const MaxPending = 5000

// makeCommits analyzes the git verbs that make commits. "git rebase --exec" also runs commands.
func makeCommits(t *trace.Trace, g *gitCall) {
	t.RunTexts(g.Command, g.o.Values("x exec upload-pack"))
	if g.o.HasWhole("abort quit skip") {
		return
	}
	markAmended(t, g)
	switch g.verb {
	case "merge", "pull":
		markMovedBranch(t, g)
		t.Mark(g.Command, "", effect.Merge)
		if g.Run < len(t.Effects) {
			t.Effects[g.Run].Updates = g.onlyUpdates(t)
		}
	case "rebase":
		if g.o.Has("root") {
			t.Mark(g.Command, "rewrites history from its root", effect.HistoryRewrite)
		}
		return
	default:
		t.Mark(g.Command, "", effect.Commit)
		for _, v := range g.o.Values("m message F file") {
			name, variable := strings.CutPrefix(v.Text, "$")
			if v.Taint.IsPrivate() || variable && isVariable(name) && trace.IsSecretVariable(name) {
				t.Mark(g.Command, "puts a secret into the history", effect.SecretAccess)
			}
		}
	}
	if g.Run < len(t.Effects) {
		paths, commit := committedPaths(t, g), commitOf(t, g)
		if files := len(paths) + len(commit.Files) + len(commit.Globs); t.Spend(stepsOfFile * files) {
			t.Effects[g.Run].Related, t.Effects[g.Run].Commit = paths, commit
		}
	}
}

// isVariable reports whether a text after a dollar sign is only the name of a variable.
func isVariable(name string) bool {
	return strings.Trim(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_0123456789") == ""
}

// onlyUpdates reports whether a merge or pull only brings the current branch up to date with its upstream branch or
// with the default branch.
func (g *gitCall) onlyUpdates(t *trace.Trace) bool {
	if g.verb == "pull" {
		return g.o.Word(0) != "."
	}
	if g.o.HasWhole("continue") {
		return true
	}
	r := g.repository(t)
	for _, v := range g.o.Operands {
		name := v.Text
		for _, prefix := range [...]string{"refs/", "heads/", "remotes/", "origin/", "upstream/"} {
			name = strings.TrimPrefix(name, prefix)
		}
		switch {
		case v.Partial:
			return false
		case r.IsDefault(name), name == r.Branch, name == words.Among(name, "HEAD FETCH_HEAD @{u} @{upstream}"):
		case name == "develop" && !r.IsDefault(r.Branch):
		default:
			return false
		}
	}
	return true
}

// committedPaths returns the paths that a commit contains, as far as they are known. They are the paths that the commit
// names, the files that git reports as pending, and the paths that the same call staged or changed.
func committedPaths(t *trace.Trace, g *gitCall) []string {
	var out []string
	if g.verb == "commit" {
		for _, v := range g.o.Operands {
			name := t.Place(v, g.Scope).Name
			out = append(out, name)
			if isWholeProject(name) {
				t.Stages = max(t.Stages, changedToo)
			}
		}
	}
	out = append(out, t.Staged...)
	out = append(out, pendingFiles(t, g)...)
	// The path "." stands for the whole project and says nothing about single files.
	out = slices.DeleteFunc(out, isWholeProject)
	for i := range t.Effects {
		e := &t.Effects[i]
		if (e.Kind == effect.Write || e.Kind == effect.Delete) && e.Path != "" && len(out) < trace.MaxFields {
			out = append(out, e.Path)
		}
	}
	return out
}

// pendingFiles returns the files that a commit will contain according to git. These are the staged files. The result
// also includes changed or untracked files if the commit or an earlier command of the call adds them.
func pendingFiles(t *trace.Trace, g *gitCall) []string {
	if g.verb != "commit" || !mayBeProject(t, g.Scope) {
		return nil
	}
	p := askGit(t, g)
	if p == nil || p.Elsewhere {
		return nil
	}
	takes := max(t.Stages, g.commitStaging())
	var out []string
	for _, f := range p.Files[:min(len(p.Files), MaxPending)] {
		if f.Staged || f.Changed && takes >= changedToo || f.Untracked && takes >= newToo {
			out = append(out, f.Name)
			if f.From != "" {
				out = append(out, f.From)
			}
		}
	}
	return out
}

// mayBeProject reports whether a command in this scope may run in the project. An unknown folder may be the project.
func mayBeProject(t *trace.Trace, sc *trace.Scope) bool {
	if sc.Container != nil {
		return false
	}
	_, inside := trace.Below(sc.Cwd, t.Env.Root)
	return inside || sc.CwdUnknown
}

// commitStaging returns the kinds of files that "git commit" itself stages, for example with -a.
func (g *gitCall) commitStaging() trace.Staging {
	if g.o.Has("a all p patch interactive pathspec-from-file") || g.mayNameAnyFile() {
		return changedToo
	}
	return stagedOnly
}

// addStaging returns the kinds of files that "git add" may stage without an operand that names them.
func (g *gitCall) addStaging() trace.Staging {
	named := len(g.o.Operands) > 0
	switch {
	case g.mayNameAnyFile(), g.o.Has("pathspec-from-file"), !named && g.o.Has("A all"):
		return newToo
	case !named && g.o.Has("u update p patch i interactive e edit"):
		return changedToo
	}
	return noStaging
}

// mayNameAnyFile reports whether an operand may stand for any file of the project.
func (g *gitCall) mayNameAnyFile() bool {
	for _, v := range g.o.Operands {
		if v.Partial || g.Scope.CwdUnknown || strings.HasPrefix(v.Text, ":") {
			return true
		}
	}
	return false
}

func isWholeProject(name string) bool { return name == "." || name == "*" }
