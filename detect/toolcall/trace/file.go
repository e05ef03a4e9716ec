package trace

import (
	"strings"

	"guardrails/detect/effect"
	"guardrails/detect/toolcall/words"
)

// Read adds the effect of reading a file. If the call itself has copied secrets to the file, the file also holds
// secrets. A key that the call itself has made is no secret.
func (t *Trace) Read(v Value, sc *Scope, span effect.Span) Place {
	p := t.Place(v, sc)
	e := t.Emit(p.Effect(effect.Read, span))
	if p.Secret && !t.isNewKey(&p, sc) || t.Content[p.Name].Taint.Has(FromSecret) {
		e.Note("reads "+p.Name+", which holds secrets", effect.SecretAccess)
	}
	if p.Key {
		e.Note("reads "+p.Name+", which is or contains the guard's key", effect.GuardTamper)
	}
	return p
}

// Write adds the effect of creating or changing a file. It returns the path of the file as effects show it. A write to
// a stream such as /dev/null has no effect, and the result is "".
func (t *Trace) Write(v Value, sc *Scope, span effect.Span) string {
	p := t.Place(v, sc)
	stream := strings.HasPrefix(p.Abs, "/dev/") && !strings.HasPrefix(p.Abs, "/dev/shm/") || isOwnStream(p.Abs)
	if p.Zone == Scratch && stream {
		return ""
	}
	t.noteWrite(t.Emit(p.Effect(effect.Write, span)), p)
	return p.Name
}

// AddTo does the same as Write, for a command that only appends to a file. Adding the key of another machine to
// known_hosts causes no event, because ssh itself also adds such keys.
func (t *Trace) AddTo(v Value, sc *Scope, span effect.Span) string {
	p := t.Place(v, sc)
	if rel, ok := t.Env.inHome(p.Abs); !ok || rel != ".ssh/known_hosts" {
		return t.Write(v, sc, span)
	}
	t.Emit(p.Effect(effect.Write, span))
	return p.Name
}

// WriteAll adds the effects of a command that creates or changes several files.
func (t *Trace) WriteAll(c *Command, files []Value) {
	for _, v := range files {
		t.Write(v, c.Scope, c.Span)
	}
}

// WriteInto adds the effect of writing a file. If the path may be a folder, the effect also contains the paths of files
// with the given names in that folder.
func (t *Trace) WriteInto(v Value, names []string, sc *Scope, span effect.Span) string {
	name := t.Write(v, sc, span)
	p := t.Place(v, sc)
	if name == "" || p.Partial || p.Zone != Root && !mayBeFolder(v.Text) {
		return name
	}
	at := len(t.Effects) - 1
	for _, base := range names {
		isAny := base == Anything || base == Everything
		if p.Zone == Root && isAny || base == BaseName(v.Text) {
			continue
		}
		inside := v
		inside.Text, inside.Glob = strings.TrimSuffix(v.Text, "/")+"/"+base, v.Glob || strings.ContainsAny(base, "*?[")
		q := t.Place(inside, sc)
		e := &t.Effects[at]
		e.Inside = append(e.Inside, q.Name)
		switch {
		case !isAny:
			t.NoteNames(&q, e)
		case strings.HasPrefix(strings.TrimPrefix(q.Name, "~/"), "."): // .claude or .git
			t.noteMatches(&q, e)
		}
	}
	return name
}

// ForgiveStartup is for a copy whose read and write are the last effects. If the command copies a start-up file of the
// user's home folder into the project or a temporary folder, the copy does not run automatically later. So
// ForgiveStartup removes the event for changing a start-up file.
func (t *Trace) ForgiveStartup() {
	n := len(t.Effects)
	from, to := &t.Effects[max(0, n-2)], &t.Effects[n-1]
	if from.Kind == effect.Read && words.OneOf(strings.TrimPrefix(from.Path, "~/"), ".bashrc .bash_profile .profile .zshrc .zshenv .zprofile "+
		".gitconfig .vimrc .inputrc") && from.Path[0] == '~' &&
		(to.IsTemporary() || to.Path != "" && strings.IndexByte("/~$.", to.Path[0]) < 0) {
		to.Drop(effect.StartupChange)
	}
}

// NameInside returns the name that a file ("source") gets when it is copied into a folder. If only the ending .md is
// known, the name is a glob. Notes are often copied to .claude, and they are never settings.
func NameInside(source Value) string {
	name := BaseName(strings.TrimSuffix(source.Text, "/"))
	unknown := source.Partial && strings.ContainsAny(name, "$`(){}")
	switch {
	case name == "." || name == "..":
		return Everything
	case unknown && strings.HasSuffix(name, ".md"):
		return "*.md"
	case name == "" || unknown || source.Pipe != nil:
		return Anything
	}
	return name
}

// WrittenBelow is for a command that copies a folder ("source"). The call has written files into this folder.
// WrittenBelow returns the paths that these files have in the target of the copy. If the parameter "inner" is set, the
// command copies only the content of the folder.
func (t *Trace) WrittenBelow(source Value, inner bool, sc *Scope) []string {
	if source.Partial || source.Glob {
		return nil
	}
	before := ""
	if !inner {
		before = NameInside(source) + "/"
	}
	var out []string
	folder := t.Place(source, sc).Name
	for i := range t.Effects {
		e := &t.Effects[i]
		if below, inside := Below(e.Path, folder); inside && e.Kind == effect.Write && below != "." && t.Spend(1) {
			out = append(out, before+below)
		}
	}
	return out
}

// The constant "Anything" stands for unknown files directly in a folder. The constant "Everything" stands for unknown
// files at any depth below a folder.
const (
	Anything   = "*"
	Everything = "**"
)

// mayBeFolder reports whether a path may name a folder. A path with a file extension counts as a file.
func mayBeFolder(path string) bool {
	base := BaseName(path)
	return strings.HasSuffix(path, "/") || path == "." || path == ".." ||
		!strings.Contains(base, ".") || strings.HasPrefix(base, ".")
}

// Effect returns an effect of the given kind on the place.
func (p Place) Effect(kind effect.Kind, span effect.Span) effect.Effect {
	return effect.Effect{Kind: kind, Path: p.Name, Glob: p.Glob, Unknown: p.Partial, Span: span}
}

// noteWrite adds the events that are caused by a write to a place.
func (t *Trace) noteWrite(e *effect.Effect, p Place) {
	t.NoteNames(&p, e)
	if effect.IsTemporaryPath(p.Abs + "/x") {
		return
	}
	if branch, ok := strings.CutPrefix(p.Name, ".git/"); ok && isReference(branch) {
		e.Note("overwrites "+p.Name+", which records where a branch or a tag is", effect.HistoryRewrite)
	}
	switch p.Zone {
	case Device:
		e.Note("writes to the device "+p.Name, effect.DeviceWrite)
	case System:
		e.Note("writes to "+p.Name+", which belongs to the system", effect.SystemChange)
	case Outside:
		if t.Env.isMemory(p.Abs) {
			return
		}
		e.Note("writes to "+p.Name+", outside the project", effect.OutsideWrite)
	case Root:
		if strings.HasPrefix(p.Name, ".git") {
			e.Note("overwrites the repository's .git", effect.ProjectDelete)
		}
	}
}

// NoteNames adds the events for a changed file or folder that has a special name.
func (t *Trace) NoteNames(p *Place, e *effect.Effect) {
	if p.Guard || t.isEnforced(p) {
		e.Note("changes "+p.Name+", which belongs to the guard", effect.GuardTamper)
	}
	if p.Startup {
		e.Note("changes "+p.Name+", which runs automatically later", effect.StartupChange)
	}
	t.noteMatches(p, e)
	if strings.HasPrefix(p.Name, "contracts/") || p.Name == "contracts" {
		e.Note("", effect.ContractChange)
	}
}

// IsGitHook reports whether a path is a git hook of the repository, or the folder of the hooks.
func IsGitHook(name string) bool {
	return strings.HasPrefix(name+"/", ".git/hooks/") || strings.HasPrefix(name+"/", ".husky/")
}

// EmptyFolder is the verb for the removal of a folder that is empty.
const EmptyFolder = "deletes the empty folder"

// Removal says how a file or folder is removed.
type Removal struct {
	Tree  bool
	Moved bool   // the files are moved and not lost
	Found bool   // a search such as find lists the files
	How   string // the verb in the reason, such as "deletes" or "moves away"
	Part  string // the part of a folder that is removed, such as "extra files"; "" for the whole folder
}

// reasonStart returns the beginning of the reason, which is the verb. If only a part of a folder is removed, the name
// of the part follows the verb.
func (r Removal) reasonStart() string {
	if r.Part == "" {
		return r.How
	}
	return r.How + " " + r.Part + " in"
}

// Remove adds the effect of deleting or moving away a file or folder.
func (t *Trace) Remove(v Value, sc *Scope, span effect.Span, r Removal) Place {
	if v.Text == "" && !v.Partial {
		return Place{} // rm "" deletes nothing
	}
	if v.Taint.Has(FromArgument) {
		defer t.Scripts.LeaveAll()()
	}
	v.Glob = v.Glob || v.Taint.Has(FromProgram) && strings.ContainsAny(v.Text, "*?")
	p := t.LinkPlace(v, sc)
	removed := p.Effect(effect.Delete, span)
	removed.Tree = r.Tree || p.Glob
	e := t.Emit(removed)
	// A removal can be a loss of data and also a change of the guard. For example, a deleted home folder contains files of
	// the guard. The loss of data is the more important reason to stop the call, so its events come first.
	t.noteRemoval(e, p, v, r)
	t.NoteNames(&p, e)
	if IsGitHook(p.Name) {
		e.Note("", effect.SkipChecks)
	}
	if IsGuardFolder(p.Name) && p.Zone != Scratch || removed.Tree && t.ContainsGuarded(&p) {
		e.Note(r.reasonStart()+" "+p.Name+", which belongs to the guard", effect.GuardTamper)
	}
	return p
}

// Empty adds the effect of emptying a file. For a database, emptying the file is the same as deleting the file.
func (t *Trace) Empty(v Value, sc *Scope, span effect.Span) {
	v.Glob = v.Glob || hasGlob(v.Text) // the text of a quoted variable can be a glob
	t.Remove(v, sc, span, Removal{How: "empties"})
}

// NoteEmptied adds the effect of emptying a file if important content is lost.
func (t *Trace) NoteEmptied(v Value, sc *Scope, span effect.Span) {
	if losesContent(t.Place(v, sc).Name) || isInput(v) || standsForList(v) {
		t.Empty(v, sc, span)
	}
}

// LeavesProject reports whether a move takes a folder from the project to a temporary folder. It returns false if a
// tool can create the folder again.
func (t *Trace) LeavesProject(from *Place, to Value, sc *Scope) bool {
	target := t.Place(to, sc)
	toScratch := from.Zone == Project && target.Zone != Project &&
		(target.Zone == Scratch || effect.IsTemporaryPath(target.Abs+"/x"))
	namesOne := !from.Glob || !strings.ContainsAny(BaseName(from.Name), "*?[") // as in find . -name src -exec mv {} /tmp
	return toScratch && !IsRegenerable(from.Name) && !NamesFile(from.Name) && namesOne
}

// noteRemoval adds the events that are caused by the removal of a place. If the files are only moved, it leaves out the
// event for lost data.
func (t *Trace) noteRemoval(e *effect.Effect, p Place, v Value, r Removal) {
	lost := func(reason string, events ...effect.Event) {
		if !r.Moved {
			events = append(events, effect.DestructiveOp)
		}
		e.NoteAll(r.reasonStart()+" "+reason, events...)
	}
	switch p.Zone {
	case System:
		if isPackageCache(p.Abs) {
			return
		}
		lost(p.Name+", "+t.systemPart(&p), effect.SystemDelete)
	case Device:
		lost("the device "+p.Name, effect.DeviceWrite)
	case Root:
		if r.How == EmptyFolder {
			return
		}
		if r.Tree || p.Name != "*" {
			lost("the whole project or its history", effect.ProjectDelete)
		} else {
			lost("every file of the project's root", effect.ProjectDelete)
		}
	case Outside:
		if what := t.precious(&p); what != "" && !r.Moved && e.Tree {
			lost(p.Name+", "+what, effect.SystemDelete, effect.OutsideDelete)
		} else {
			lost(p.Name+", outside the project", effect.OutsideDelete)
		}
	case Scratch:
		if t.holdsMoved(p.Name) {
			lost("files of the project in " + p.Name)
		}
	case Unresolved:
		listed := isInput(v) || isList(v) || v.Glob && isKind(v.Text) && !isTemporary(v.Text)
		if (r.Tree || listed) && !looksRegenerable(v.Text) && !isPackageOutput(v) {
			lost(p.Name + ", whose location is unknown")
		}
	case Project:
		if strings.HasPrefix(p.Name, ".git/") && isHistory(p.Name) {
			lost(p.Name+", a part of the repository's history", effect.ProjectDelete)
		}
		listed := v.Taint.Has(FromProgram) || r.Found
		deep := listed || strings.Contains(p.Name, "**/")
		many := isKind(p.Name) && (listed || !strings.HasSuffix(p.Name, ".md")) || deep && namesTests(p.Name) ||
			isList(Value{Text: BaseName(v.Text), Quality: v.Quality})
		_, written := t.Content[p.Name]
		switch {
		case r.Moved:
		case IsDatabase(p.Name):
			lost(p.Name + ", a database")
		case (r.How == "empties" || !written || t.Env.Missing != nil) && t.holdsSecrets(&p):
			lost(p.Name + ", which holds secrets")
		}
		if !r.Moved && (many || r.Tree && !NamesFile(p.Name)) &&
			(!IsRegenerable(p.Name) && !t.isNew(&p) && !t.isRendered(&p) || t.holdsMoved(p.Name)) {
			lost(p.Name + r.extent())
		}
	}
}

// holdsMoved reports whether the call has moved files of the project to this path, or into the folder at this path.
func (t *Trace) holdsMoved(name string) bool {
	for _, at := range t.Moved {
		if at == name || strings.HasPrefix(at, strings.TrimRight(name, "/*")+"/") {
			return true
		}
	}
	return false
}

// IsDatabase reports whether a path or glob names the file of a database. It returns false for a test database and for
// a database that a tool can create again.
func IsDatabase(name string) bool {
	name = strings.ToLower(strings.TrimRight(name, "*"))
	ext, _, _ := strings.Cut(name[strings.LastIndexByte(name, '.')+1:], "-") // the ending of x.db-wal is db
	return ext == words.Among(ext, "sqlite sqlite3 db db3 duckdb mdb realm") && ext != name &&
		!strings.HasSuffix(name, "thumbs.db") && !NamesTest(name) && !IsRegenerable(name)
}

// losesContent() reports whether a command that empties the file at a path loses important content. This is the case for
// a database, for secrets, and for a glob, which stands for all files that it matches.
func losesContent(path string) bool { return IsDatabase(path) || hasGlob(path) || IsSecret(path) }

func hasGlob(path string) bool { return strings.ContainsAny(path, "*?") }

// NamesTest reports whether a name contains a word such as "test" or "pytest". It returns false if the name also
// contains "prod".
func NamesTest(name string) bool {
	name = strings.ToLower(name)
	if strings.Contains(name, "prod") {
		return false
	}
	for word := range strings.FieldsFuncSeq(name, func(r rune) bool { return r < 'a' || r > 'z' }) {
		if strings.HasPrefix(word, "test") || word == "unittest" || word == "pytest" {
			return true
		}
	}
	return false
}

// isList reports whether a value stands for a list of unknown names that comes from a file or from a search.
func isList(v Value) bool {
	return strings.HasPrefix(v.Text, "$") && v.Partial && (v.Taint.Has(FromFile) || v.Text == "$found")
}

// isInput reports whether a value stands for all items that a program such as xargs reads.
func isInput(v Value) bool { return v.Text == "$(input)" && v.Taint.Has(FromProgram) }

// standsForList reports whether a value stands for a list of unknown names in one folder. A name with a fixed ending,
// such as $f.tmp, is usually a new file.
func standsForList(v Value) bool {
	if isList(v) && strings.HasPrefix(v.Text, "$(") {
		return true
	}
	v.Text = BaseName(v.Text)
	return isList(v) && strings.IndexByte(v.Text, '.') < 0
}

// isKind reports whether a glob matches all files of a folder, or all source files of one kind.
func isKind(glob string) bool {
	base, qualifier, _ := strings.Cut(BaseName(glob), "(") // as in *(.) of zsh
	switch {
	case base == "!" && qualifier != "" && !IsRegenerable(glob):
		return true
	case base == "*", base == "**", base == "*.*":
		return !IsRegenerable(glob)
	}
	return NamesSources(glob)
}

// isTemporary reports whether the name of an unknown variable suggests that the variable holds the path of a temporary
// folder.
func isTemporary(text string) bool {
	text = strings.ToLower(text)
	return words.HasPart(text, "tmp|temp|cache")
}

// extent() returns the last words of the reason for the removal of a folder in the project. These words say how much of
// the folder is removed.
func (r Removal) extent() string {
	if r.Part == "" {
		return " and everything in it"
	}
	return ""
}

// isPackageOutput reports whether a relative path is a folder such as node_modules. Only the tools of a package create
// such a folder. The package may be in any folder.
func isPackageOutput(v Value) bool {
	return !v.Partial && v.Text == words.Among(v.Text, "node_modules dist build coverage target .next .nuxt .turbo .venv "+
		"__pycache__ .pytest_cache .mypy_cache .ruff_cache .tox .parcel-cache .nyc_output")
}

// looksRegenerable reports whether the name of an unknown variable suggests that the variable holds the path of a
// temporary folder or of a build folder.
func looksRegenerable(text string) bool {
	text = strings.ToLower(text)
	if strings.HasPrefix(text, "$(<") {
		return false
	}
	if strings.ContainsAny(text, "*?") || strings.HasSuffix(text, "/") {
		return false
	}
	for _, word := range [...]string{
		"tmp", "temp", "build", "dist", "cache", "out", "target", "venv", "work_dir", "workdir", "scratch", "stage",
		"staging", "artifact",
	} {
		if strings.Contains(text, word) {
			return true
		}
	}
	return false
}

// isReference reports whether a file in .git records the commit of a branch or a tag, or the branch that is checked
// out.
func isReference(name string) bool {
	return name == "HEAD" || name == "packed-refs" || strings.HasPrefix(name, "refs/heads/") || strings.HasPrefix(name, "refs/tags/")
}

// isHistory reports whether a path in .git contains commits, branches or a log of them.
func isHistory(name string) bool {
	rest := strings.TrimPrefix(name, ".git/")
	first, _, _ := strings.Cut(rest, "/")
	if first == words.Among(first, "objects refs logs packed-refs HEAD config worktrees modules") {
		return !strings.HasSuffix(rest, ".lock")
	}
	return strings.HasSuffix(rest, ".pack") || strings.HasSuffix(rest, ".idx")
}

// NamesFile reports whether a path has a file extension. If so, "rm -rf" does the same as "rm", because the path is
// a single file.
func NamesFile(name string) bool {
	base := BaseName(name)
	i := strings.LastIndexByte(base, '.')
	ext := base[i+1:]
	return i > 0 && len(ext) > 0 && len(ext) <= 5 && !strings.ContainsAny(base, "*?[$") &&
		strings.Trim(ext, "abcdefghijklmnopqrstuvwxyz0123456789") == ""
}

// IsScriptName reports whether a path has the ending of a script that people run by its path.
func IsScriptName(name string) bool {
	ending := name[strings.LastIndexByte(name, '.')+1:]
	return ending != name && ending == words.Among(ending, "sh bash zsh ksh fish command py pl rb php lua tcl")
}

// NamesKept reports whether a pattern matches files that no tool can create again: sources of one kind, tests or
// databases.
func NamesKept(pattern string) bool {
	return NamesSources(pattern) || namesTests(pattern) || IsDatabase(pattern)
}

// namesTests reports whether a pattern such as test_*.py or *test* matches the sources of tests.
func namesTests(pattern string) bool {
	base := strings.ToLower(BaseName(pattern))
	stem, ending, _ := strings.Cut(base, "*.")
	if stem == base {
		stem, ending, _ = strings.Cut(base, ".")
	}
	if i := strings.LastIndexByte(ending, '.'); i >= 0 {
		stem, ending = stem+ending[:i], ending[i+1:]
	}
	stem = strings.Trim(stem, "*_-.")
	return strings.IndexByte(base, '*') >= 0 && stem == words.Among(stem, "test tests spec") &&
		(ending == "" && strings.HasSuffix(base, "*") || isSource(ending)) && !IsRegenerable(pattern)
}

// NamesSources reports whether a glob such as *.py or *.p* matches all source files of one kind.
func NamesSources(pattern string) bool {
	base := BaseName(pattern)
	if !strings.HasPrefix(base, "*.") || IsRegenerable(strings.TrimSuffix(pattern, base)) {
		return false
	}
	ending, open := strings.CutSuffix(strings.ToLower(base[2:]), "*")
	if open && len(ending) < 2 {
		return strings.Trim(ending, "cdghjklmprstv") == ""
	}
	return isSource(ending)
}

// isSource reports whether files with this ending are usually sources.
func isSource(ending string) bool {
	return ending == words.Among(ending, "py go js ts tsx jsx rs java kt c h cc cpp hpp rb php cs swift scala sql pm pl lua "+
		"dart ex exs jl hs clj r html css scss vue svelte tf md")
}
