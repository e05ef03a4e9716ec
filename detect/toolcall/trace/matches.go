package trace

import (
	"slices"
	"strings"

	"guardrails/guideline/pattern"
	"guardrails/internal/document"
)

// maxFolders is the maximum number of folders that are searched for scripts.
const maxFolders = 64

// Matches is a method that returns the paths of the files that match a glob: files that the call has written, and files
// on disk.
func (t *Trace) Matches(p *Place) []string {
	if !p.Glob || p.Partial || p.Abs == "" {
		return nil
	}
	g, err := pattern.CompileGlob(BaseName(p.Abs))
	if err != nil {
		return nil
	}
	folder := p.Abs[:strings.LastIndexByte(p.Abs, '/')]
	start := folder
	if i := strings.IndexAny(folder, "*?["); i >= 0 {
		start = folder[:strings.LastIndexByte(folder[:i], '/')]
	}
	m := matches{trace: t, base: g, deep: start != folder}
	for _, name := range t.Written() {
		abs := t.Place(Value{Text: name}, &Scope{Cwd: t.Env.Root}).Abs
		if in, ok := Below(abs, start); ok && (m.deep || !strings.Contains(in, "/")) {
			m.add(abs)
		}
	}
	if t.Env.List != nil {
		m.search(start)
	}
	return m.found
}

// Written is a method that returns the sorted names of the files whose content the call has written.
func (t *Trace) Written() []string {
	out := make([]string, 0, len(t.Content))
	for name := range t.Content {
		out = append(out, name)
	}
	document.SortTexts(out)
	return out
}

// list() returns the names of the files and folders in a folder, and counts the work.
func (t *Trace) list(folder string) (files, folders []string) {
	if !t.Spend(stepsOfFolder) {
		return nil, nil
	}
	files, folders = t.Env.List(folder)
	t.Spend(stepsOfName * (len(files) + len(folders)))
	return files, folders
}

type matches struct {
	trace   *Trace
	base    *pattern.Glob
	deep    bool // the glob also matches files in subfolders
	folders int
	found   []string
}

func (m *matches) add(path string) {
	if len(m.found) < MaxScripts && m.base.Match(BaseName(path)) && !slices.Contains(m.found, path) {
		m.found = append(m.found, path)
	}
}

func (m *matches) search(folder string) {
	m.folders++
	files, folders := m.trace.list(folder)
	document.SortTexts(files)
	for _, name := range files {
		m.add(folder + "/" + name)
	}
	for _, name := range folders {
		if m.deep && m.folders < maxFolders && name[0] != '.' && name != "node_modules" {
			m.search(folder + "/" + name)
		}
	}
}
