package toolcall

import (
	"strings"

	"guardrails/detect/effect"
)

// read notes that a file's content is read.
func (a *analyzer) read(v value, sc *scope, span effect.Span) place {
	p := a.place(v, sc)
	e := a.emit(p.effect(effect.Read, span))
	if p.secret {
		e.Note("reads "+p.name+", which holds secrets", effect.SecretAccess)
	}
	return p
}

// write notes that a file is made or changed, and returns its name.
func (a *analyzer) write(v value, sc *scope, span effect.Span) string {
	p := a.place(v, sc)
	if p.zone == scratch && (strings.HasPrefix(p.abs, "/dev/") && !strings.HasPrefix(p.abs, "/dev/shm/") || isOwnStream(p.abs)) {
		return ""
	}
	a.noteWrite(a.emit(p.effect(effect.Write, span)), p)
	return p.name
}

func (p place) effect(kind effect.Kind, span effect.Span) effect.Effect {
	return effect.Effect{Kind: kind, Path: p.name, Glob: p.glob, Unknown: p.partial, Span: span}
}

func (a *analyzer) noteWrite(e *effect.Effect, p place) {
	p.noteNames(e)
	if effect.IsTemporaryPath(p.abs + "/x") {
		return
	}
	switch p.zone {
	case device:
		e.Note("writes to the device "+p.name, effect.DeviceWrite)
	case system:
		e.Note("writes to "+p.name+", which belongs to the system", effect.SystemChange)
	case outside:
		if a.isMemory(p.abs) {
			return
		}
		e.Note("writes to "+p.name+", outside the project", effect.OutsideWrite)
	case root:
		if strings.HasPrefix(p.name, ".git") {
			e.Note("overwrites the repository's .git", effect.ProjectDelete)
		}
	}
}

// noteNames adds the events that come from what a changed path is called.
func (p place) noteNames(e *effect.Effect) {
	if p.guard {
		e.Note("changes "+p.name+", which belongs to the guard", effect.GuardTamper)
	}
	if p.startup {
		e.Note("changes "+p.name+", which is run by itself later", effect.StartupChange)
	}
	p.noteFound(e)
	if strings.HasPrefix(p.name, "contracts/") || p.name == "contracts" {
		e.Note("", effect.ContractChange)
	}
}

// removal is how something is taken away.
type removal struct {
	tree  bool
	moved bool   // it is not lost: mv
	how   string // the word for the reason: deletes, moves away
}

// remove notes that a file or folder goes away.
func (a *analyzer) remove(v value, sc *scope, span effect.Span, r removal) place {
	if v.text == "" && !v.partial {
		return place{} // rm "" deletes nothing
	}
	p := a.placed(v, sc, true)
	removed := p.effect(effect.Delete, span)
	removed.Tree = r.tree || p.glob
	e := a.emit(removed)
	p.noteNames(e)
	if isGuardFolder(p.name) && p.zone != scratch || removed.Tree && a.holdsGuarded(&p) {
		e.Note(r.how+" "+p.name+", which belongs to the guard", effect.GuardTamper)
	}
	a.noteRemoval(e, p, v, r)
	return p
}

func (a *analyzer) noteRemoval(e *effect.Effect, p place, v value, r removal) {
	lost := func(reason string, events ...effect.Event) {
		if !r.moved {
			events = append(events, effect.DestructiveOp)
		}
		e.Note(r.how+" "+reason, events...)
	}
	switch p.zone {
	case system:
		lost(p.name+", which belongs to the system or holds everything", effect.SystemDelete)
	case device:
		lost("the device "+p.name, effect.DeviceWrite)
	case root:
		if r.tree || p.name != "*" {
			lost("the whole project or its history", effect.ProjectDelete)
		} else {
			lost("every file of the project's root", effect.ProjectDelete)
		}
	case outside:
		lost(p.name+", outside the project", effect.OutsideDelete)
	case unresolved:
		if (r.tree || v.text == "$(input)" && v.taint.has(fromProgram)) && !looksRegenerable(v.text) {
			lost(p.name + ", and it is not known where that is")
		}
	case project:
		if strings.HasPrefix(p.name, ".git/") && isHistory(p.name) {
			lost(p.name+", a part of the repository's history", effect.ProjectDelete)
		}
		sources := p.glob && namesSources(p.name) && (v.taint.has(fromProgram) || strings.HasPrefix(r.how, "deletes what find"))
		if !r.moved && (sources || r.tree && !isRegenerable(p.name) && !namesFile(p.name)) {
			lost(p.name + " with everything in it")
		}
	}
}

// isRegenerable reports whether a path inside the project is made by tools and can be made again.
func isRegenerable(name string) bool {
	for segment := range strings.SplitSeq(strings.ToLower(name), "/") {
		if regenerableName(segment) {
			return true
		}
	}
	base := strings.ToLower(name[strings.LastIndexByte(name, '/')+1:])
	for _, suffix := range [...]string{".pyc", ".o", ".log", ".tmp", ".egg-info", ".class", ".bak", ".orig", ".swp", ".tsbuildinfo", ".dsym", ".pid", ".out", ".cache", ".prof", ".tgz", ".tar.gz", ".zip"} {
		if strings.HasSuffix(base, suffix) {
			return true
		}
	}
	return false
}

func regenerableName(s string) bool {
	if s == among(s, "node_modules build dist out output outputs target bin obj coverage htmlcov .coverage .nyc_output "+
		"__pycache__ .pytest_cache .mypy_cache .ruff_cache .tox .nox .venv venv env virtualenv .next .nuxt "+
		".turbo .parcel-cache .svelte-kit .angular .vite .gradle .cache cache .caches tmp .tmp temp .temp "+
		"logs log storybook-static site _site public/build pods deriveddata .terraform vendor generated "+
		".generated gen _build deps .eggs wheels pip-wheel-metadata .serverless .aws-sam .dart_tool .expo "+
		".output .docusaurus bower_components jspm_packages .yarn .pnpm-store playwright-report test-results "+
		"screenshots cmake-build-debug cmake-build-release .bundle elm-stuff .stack-work dist-newstyle .idea "+
		".vscode-test scratch .scratch sandbox .ipynb_checkpoints release debug .eslintcache reports "+
		"artifacts .import") {
		return true
	}
	for _, word := range [...]string{"cache", "tmp", "temp-", "temp_", "-temp", "_temp", "node_modules", "build-", "-build", "build_", "dist-", "-dist", "coverage", "test-output", "test_output", ".egg-info"} {
		if strings.Contains(s, word) {
			return true
		}
	}
	return false
}

// looksRegenerable reports whether the name of an unknown variable says that it holds a temporary or built folder.
func looksRegenerable(text string) bool {
	text = strings.ToLower(text)
	if strings.ContainsAny(text, "*?") || strings.HasSuffix(text, "/") {
		return false
	}
	for _, word := range [...]string{"tmp", "temp", "build", "dist", "cache", "out", "target", "venv", "work_dir", "workdir", "scratch", "stage", "staging", "artifact"} {
		if strings.Contains(text, word) {
			return true
		}
	}
	return false
}

// isHistory reports whether a path inside .git holds commits, branches or the log of them.
func isHistory(name string) bool {
	rest := strings.TrimPrefix(name, ".git/")
	first, _, _ := strings.Cut(rest, "/")
	if first == among(first, "objects refs logs packed-refs HEAD config worktrees modules") {
		return !strings.HasSuffix(rest, ".lock")
	}
	return strings.HasSuffix(rest, ".pack") || strings.HasSuffix(rest, ".idx")
}

// namesFile reports whether a name has a file's extension: rm -rf of a single file is rm.
func namesFile(name string) bool {
	base := baseName(name)
	i := strings.LastIndexByte(base, '.')
	ext := base[i+1:]
	return i > 0 && len(ext) > 0 && len(ext) <= 5 && !strings.ContainsAny(base, "*?[$") && strings.Trim(ext, "abcdefghijklmnopqrstuvwxyz0123456789") == ""
}

// namesSources reports whether a glob such as *.py stands for a whole kind of source files.
func namesSources(pattern string) bool {
	base := baseName(pattern)
	if !strings.HasPrefix(base, "*.") || isRegenerable(strings.TrimSuffix(pattern, base)) {
		return false
	}
	switch base[2:] {
	case "py", "go", "js", "ts", "tsx", "jsx", "rs", "java", "kt", "c", "h", "cc", "cpp", "hpp", "rb", "php", "cs", "swift", "scala", "sql", "html", "css", "scss", "vue", "svelte", "tf", "md", "*":
		return true
	}
	return false
}
