package trace

import (
	"slices"
	"strings"

	"guardrails/detect/effect"
	"guardrails/detect/toolcall/words"
	"guardrails/guideline/pattern"
	"guardrails/internal/product"
)

// IsOwnName reports whether a file has the name of one of the guard's programs.
func IsOwnName(name string) bool {
	return product.IsOwnProgram(ProgramName(name))
}

// markGuarded marks a place that belongs to the guard on this machine. A program in the project or in a temporary
// folder may have the guard's name but be just another build of the guard. If the files of the installed guard are
// known, markGuarded marks such a program only if the shell looks for programs in the folder of this program.
func (t *Trace) markGuarded(p *Place) {
	if p.Program && (p.Zone == Project || p.Zone == Scratch) && len(t.Env.Guarded) > 0 && !t.isFoundByName(p) {
		p.Program, p.Guard = false, isGuardFile(strings.ToLower(p.Name))
	}
	for _, guarded := range t.Env.Guarded {
		if t.isIn(guarded, p) {
			p.Guard = true
			p.Program = p.Program || IsOwnName(BaseName(guarded))
			_, token := Below(strings.TrimPrefix(p.Abs, guarded), "/token")
			p.Secret = p.Secret || token
		}
		p.Secret = p.Secret || p.Glob && t.MayBe(p.Abs, guarded+"/token")
	}
	base := BaseName(p.Abs)
	if p.Glob && p.Zone == Outside && strings.HasSuffix(p.Abs, "/bin/"+base) && MayBeOwnName(base) {
		p.Guard, p.Program = true, true
	}
	p.Key = (p.Guard || p.Zone == Outside) && t.containsKey(p)
}

// isFoundByName reports whether a place is in a folder where the shell looks for programs.
func (t *Trace) isFoundByName(p *Place) bool {
	end := strings.LastIndexByte(p.Abs, '/')
	return t.Env.OnPath != nil && end >= 0 && t.Env.OnPath(p.Abs[:end])
}

// isIn reports whether a place is the path of a guarded file or folder, or is inside that folder. If the place is a
// glob, isIn also reports whether the glob may match the guarded path.
func (t *Trace) isIn(guarded string, p *Place) bool {
	if _, inside := Below(p.Abs, guarded); inside {
		return true
	}
	return p.Glob && t.MayBe(p.Abs, guarded)
}

// MayBe reports whether a shell glob may match a path.
func (t *Trace) MayBe(glob, path string) bool {
	glob = pattern.Plain(glob)
	i := strings.IndexAny(glob, "*?[{")
	if i < 0 || !strings.HasPrefix(path, glob[:i]) || !t.spendOnGlob(glob) {
		return false
	}
	g, err := pattern.CompileGlob(path)
	return err == nil && g.MatchPath(pattern.Path{Name: glob, Glob: true})
}

// spendOnGlob counts the steps of comparing a glob with a short path. Each comma in braces at most doubles the work.
func (t *Trace) spendOnGlob(glob string) bool {
	doubled := 0
	if strings.IndexByte(glob, '{') >= 0 {
		doubled = min(strings.Count(glob, ","), maxDoubled)
	}
	return t.Spend((stepsOfMatch + stepsOfGlobByte*len(glob)) << doubled)
}

// ContainsGuarded reports whether a place contains something that belongs to the guard.
func (t *Trace) ContainsGuarded(p *Place) bool {
	for _, guarded := range t.Env.Guarded {
		if t.contains(p, guarded) {
			return true
		}
	}
	return false
}

func (t *Trace) containsPrograms(p *Place) bool {
	for _, guarded := range t.Env.Guarded {
		if IsOwnName(BaseName(guarded)) && t.contains(p, guarded) {
			return true
		}
	}
	return false
}

// containsKey reports whether a place is the key that signs the guard's files, or a folder that contains the key.
func (t *Trace) containsKey(p *Place) bool { return t.KeyIn(p) != "" }

// KeyIn returns the path of the key that signs the guard's files. The place must be the key itself or a folder that
// contains the key. For any other place, KeyIn returns "".
func (t *Trace) KeyIn(p *Place) string {
	some := *p
	some.Glob = p.Glob || strings.Contains(p.Abs, "*") // code that lists a folder may read every file in it
	for _, guarded := range t.Env.Guarded {
		if strings.HasSuffix(guarded, "/"+product.KeyFile) && (t.isIn(guarded, &some) ||
			t.contains(&some, guarded)) {
			return guarded
		}
	}
	return ""
}

// contains() reports whether the place p is the path or a folder above the path. If p is a glob, it reports whether the
// glob may match the path or a folder above the path.
func (t *Trace) contains(p *Place, path string) bool {
	if p.Abs == "" {
		return false // an unknown place
	}
	if _, inside := Below(path, p.Abs); inside || p.Abs == "/" {
		return true
	}
	for i := strings.LastIndexByte(path, '/'); p.Glob && i > 0; i = strings.LastIndexByte(path[:i], '/') {
		if t.MayBe(p.Abs, path[:i]) {
			return true
		}
	}
	return false
}

// MayBeOwnName reports whether a glob may match the name of one of the guard's programs. It returns false for a glob
// that matches every name.
func MayBeOwnName(glob string) bool {
	glob = pattern.Wider(glob)
	if strings.Trim(glob, "*?") == "" {
		return false
	}
	g, err := pattern.CompileGlob(glob)
	if err != nil {
		return false
	}
	for _, name := range product.Programs() {
		if g.Match(name) {
			return true
		}
	}
	return false
}

// MarkCopied adds an event if the command copies the guard's programs or the guard's key. If the parameter "link" is
// set, a link to the guard's files counts as a copy. MarkCopied adds the event before the copy runs, because the
// analysis cannot recognize the copy later.
func (t *Trace) MarkCopied(c *Command, v Value, tree, link bool) {
	p := t.Place(v, c.Scope)
	switch {
	case p.Program, tree && t.containsPrograms(&p):
		t.Mark(c, "makes a copy of the guard's programs ("+p.Name+")", effect.GuardTamper)
	case p.Key, tree && t.containsKey(&p):
		t.Mark(c, "makes a copy of the guard's key ("+p.Name+")", effect.GuardTamper)
	case link && (p.Guard || IsGuardFolder(p.Name) || p.Zone == Root ||
		tree && p.Abs != "" && (t.containsProject(p.Abs) || t.ContainsGuarded(&p))):
		t.Mark(c, "creates a link to the guard's files in "+p.Name, effect.GuardTamper)
	}
}

// markWritten adds an event if the content written to a file is one of the guard's programs.
func (t *Trace) markWritten(path string, content Flow) {
	if !content.Taint.Has(fromGuard) {
		return
	}
	for i := len(t.Effects) - 1; i >= 0; i-- {
		if e := &t.Effects[i]; e.Kind == effect.Write && e.Path == path {
			e.Note("makes a copy of one of the guard's programs", effect.GuardTamper)
			return
		}
	}
}

// IsGuardFolder reports whether a path is the folder with the guard's settings. A command that moves or replaces that
// folder changes all files in the folder.
func IsGuardFolder(name string) bool { return strings.EqualFold(BaseName(name), product.ClientFolder) }

// MayBeGuardFolder is for a path v that is a glob or partly unknown. If v may stand for the folder with the guard's
// settings, it returns that folder. It returns false for any other path.
func (t *Trace) MayBeGuardFolder(v Value, sc *Scope) (abs string, ok bool) {
	folder := t.Env.Root + "/" + product.ClientFolder
	if v.Partial {
		return folder, IsGuardFolder(strings.TrimRight(v.Text, "/"))
	}
	if !v.Glob || sc.CwdUnknown {
		return "", false
	}
	p := t.Place(v, sc)
	return folder, t.MayBe(p.Abs, folder) && !hidesDots(BaseName(p.Abs), product.ClientFolder)
}

// GuardFiles returns the absolute paths of the guard's files in the project.
func (t *Trace) GuardFiles() []string {
	out := slices.Clone(product.ProjectFiles())
	for i, name := range out {
		out[i] = t.Env.Root + "/" + name
	}
	return out
}

// MayBeGuardFile reports whether a glob may match a file of the guard that exists in the project.
func (t *Trace) MayBeGuardFile(glob string) bool {
	for _, file := range t.GuardFiles() {
		if t.MayBe(glob, file) && (t.Env.Missing == nil || !t.Env.Missing(strings.TrimSuffix(file, product.AnyGuideline))) {
			return true
		}
	}
	return false
}

// MarkReplaced adds an event if a command replaces the content of the guard's folder or of git's folder.
func (t *Trace) MarkReplaced(c *Command, v Value) {
	p := t.Place(v, c.Scope)
	switch {
	case IsGuardFolder(p.Name) && p.Zone != Scratch:
		t.Mark(c, "replaces what is in "+p.Name+", which belongs to the guard", effect.GuardTamper)
	case p.Zone == Root && strings.HasPrefix(p.Name, ".git"):
		t.Mark(c, "replaces what is in the repository's .git", effect.ProjectDelete)
	}
}

// noteMatches adds events for each protected file that a changed path may stand for. It adds the events only if the
// path is a glob or the last element of the path is unknown.
func (t *Trace) noteMatches(p *Place, e *effect.Effect) {
	name := strings.TrimPrefix(p.Name, "~/")
	rest, ok := strings.CutPrefix(name, product.ClientFolder+"/$")
	if ok && p.Partial && !strings.Contains(rest, "/") && !strings.HasSuffix(rest, ".md") {
		e.Note("may change the guard's files in .claude", effect.GuardTamper)
	}
	plain := pattern.Plain(name)
	if !p.Glob || !strings.ContainsAny(plain, "*?[") {
		return
	}
	if t.Pathspecs {
		if t.MayBeGuardFile(p.Abs) {
			e.Note("changes "+p.Name+", which belongs to the guard", effect.GuardTamper)
		}
		return
	}
	found := pattern.Path{Name: plain, Glob: true, Tree: e.Tree}
	for _, protected := range append(slices.Clip(product.ProjectFiles()), ".git/hooks/pre-commit", ".git/config") {
		if !t.Dots && hidesDots(name, protected) {
			continue
		}
		if !t.spendOnGlob(name) {
			return
		}
		if g, err := pattern.CompileGlob(protected); err != nil || !g.MatchPath(found) {
			continue
		}
		if strings.HasPrefix(protected, ".git/") {
			e.Note("changes "+p.Name+", which may be "+protected+" and run automatically later", effect.StartupChange)
		} else {
			e.Note("changes "+p.Name+", which may be "+protected+" of the guard", effect.GuardTamper)
		}
	}
}

// hidesDots reports whether a glob fails to match a protected file because the file's path begins with a dot. As in
// shells, a wildcard at the start of a glob does not match a dot. If the glob ends with the whole name of the file,
// hidesDots returns false.
func hidesDots(glob, protected string) bool {
	base := BaseName(glob)
	if strings.HasPrefix(glob, "**/") && base != "" && strings.IndexByte("*?[", base[0]) < 0 {
		return false // find also searches folders whose names begin with a dot
	}
	if strings.HasPrefix(glob[1:], "(") {
		// A group such as @(a|b) matches a dot only if the group itself contains a dot, as @(.claude) does. In zsh, (.) is
		// not a group.
		return !strings.Contains(strings.ReplaceAll(glob, "(.)", ""), "(.") && !strings.Contains(glob, "|.")
	}
	return strings.IndexByte("*?[", glob[0]) >= 0 && base != BaseName(protected)
}

// IsRule reports whether a file is a Markdown rule of the project. guardrails enforces the rules with certain fields.
func IsRule(name string) bool {
	return strings.HasSuffix(name, ".md") && InFolder(name, product.RulesFolder)
}

// isEnforced reports whether a file on disk is a Markdown rule that guardrails enforces.
func (t *Trace) isEnforced(p *Place) bool {
	if !IsRule(p.Name) || t.Env.Script == nil {
		return false
	}
	text, _ := t.Env.Script(p.Abs, maxScript)
	head, _, _ := strings.Cut(string(text), "\n---")
	return strings.HasPrefix(head, "---") && Enforces(head)
}

// Enforces reports whether the lines at the beginning of a Markdown rule have a field that guardrails enforces.
func Enforces(head string) bool {
	for line := range strings.SplitSeq(head, "\n") {
		if field, _, ok := strings.Cut(line, ":"); ok && words.OneOf(field, "allow deny ask gate max_files require_tests "+
			"require_review guardrails tools_allowed tools_denied tools_asked gate_type") {
			return true
		}
	}
	return false
}
