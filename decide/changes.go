package decide

import (
	"path"
	"strconv"
	"strings"

	"guardrails/detect/effect"
	"guardrails/guideline/pattern"
	"guardrails/internal/document"
)

// ListFunc returns at most limit entries of a folder of the project. The result "complete" is true if these are all
// entries of the folder.
type ListFunc = func(folder string, limit int) (entries []Entry, complete bool)

// ChangesProject reports whether an effect changes a file of the project. The limit max_files counts only such files.
func ChangesProject(e *effect.Effect) bool {
	if e.Kind != effect.Write && e.Kind != effect.Delete || e.Inert {
		return false
	}
	return e.Path != "" && !e.IsTemporary() && !pattern.IsRooted(e.Path)
}

// Changes finds the files of the project that are changed by the effects of a call.
type Changes struct {
	// Incomplete is set if a call changes so many files that not all of them are counted.
	Incomplete bool

	call *effect.Analysis
	list ListFunc
	// The field "left" is the amount of work that may still be done for the call. The comment of maxWork says what
	// counts as work.
	left     int
	commands map[string]*changer
	found    [][]string
}

// The type "changer" says what one command does with files. The field "sources" has the paths that the command reads or
// deletes. The field "writes" is set if the command writes files. From these two fields, Changes recognizes a copy or a
// move.
type changer struct {
	sources []*effect.Effect
	writes  bool
}

// maxWork limits the work for all effects of a call. Reading a folder counts as readFolder units of work, and each
// entry or file counts as 1 unit.
const (
	maxWork    = 8 * maxListed
	readFolder = 20
)

// NewChanges returns the changes of a call. If the parameter "list" is nil, no folder is read, and only the paths that
// the effects name are known.
func NewChanges(call *effect.Analysis, list ListFunc) *Changes {
	return &Changes{call: call, list: list, left: maxWork, found: make([][]string, len(call.Effects))}
}

// Of returns the files of the project that are changed by one effect of the call. If the path of the effect is a glob,
// Of returns the files on disk that match. If a folder is copied, moved or deleted, Of returns the files in the folder.
// If the call changes too many files, Of returns only the path that the effect names, and sets Incomplete.
func (c *Changes) Of(i int) []string {
	e := &c.call.Effects[i]
	switch {
	case !ChangesProject(e):
		return nil
	case c.list == nil || e.Unknown:
		return []string{e.Path}
	case c.found[i] != nil:
		return c.found[i]
	}
	c.found[i] = c.files(e, c.expansion())
	return c.found[i]
}

func (c *Changes) expansion() *expansion { return &expansion{Changes: c, left: maxListed} }

// spend() subtracts an amount of work from the limit of the call. It returns false if the limit is used up.
func (c *Changes) spend(work int) bool {
	c.left -= work
	c.Incomplete = c.Incomplete || c.left <= 0
	return !c.Incomplete
}

func (c *Changes) files(e *effect.Effect, x *expansion) []string {
	switch {
	case e.Kind == effect.Delete && c.changerOf(e).writes:
		return []string{} // these files were moved, and they count at their new paths
	case e.Kind == effect.Write && x.copies(c.changerOf(e).sources, e):
		return x.sorted()
	case e.Glob:
		x.matching(e.Path, e.Tree)
	case e.Kind == effect.Delete && e.Tree && !IsGenerated(e.Path):
		x.addBelow(e.Path, e.Path)
	}
	if len(x.files) == 0 {
		return []string{e.Path}
	}
	return x.sorted()
}

// IsGenerated reports whether a path is in a folder such as node_modules or build, whose content tools have created.
func IsGenerated(name string) bool {
	for _, part := range strings.Split(name, "/") {
		switch part {
		case "node_modules", "vendor", "third_party", "dist", "build", "out", "target", "coverage", "venv", ".venv", "__pycache__":
			return true
		}
	}
	return false
}

// changerOf finds the command that causes an effect, and returns what this command does with files.
func (c *Changes) changerOf(e *effect.Effect) *changer {
	if c.commands == nil {
		c.commands = map[string]*changer{}
		for i := range c.call.Effects {
			c.note(&c.call.Effects[i])
		}
	}
	return c.commands[spanKey(e)]
}

func spanKey(e *effect.Effect) string { return strconv.Itoa(e.Span.Start) + e.Span.Text }

func (c *Changes) note(e *effect.Effect) {
	at := c.commands[spanKey(e)]
	if at == nil {
		at = &changer{}
		c.commands[spanKey(e)] = at
	}
	switch {
	case e.Path == "":
	case e.Kind == effect.Write:
		at.writes = true
	case (e.Kind == effect.Read || e.Kind == effect.Delete) && !e.Unknown:
		at.sources = append(at.sources, e)
	}
}

// expansion finds the files of one effect. The field "left" is the number of folder entries that it may still read.
type expansion struct {
	*Changes
	files []string
	left  int
}

// read() returns at most the given number of entries of a folder. If the work limit of the call is used up, it returns
// none.
func (x *expansion) read(folder string, most int) []Entry {
	if !x.spend(readFolder) {
		return nil
	}
	entries, _ := x.list(folder, most)
	x.spend(len(entries))
	return entries
}

func (x *expansion) sorted() []string {
	document.SortTexts(x.files)
	return x.files
}

// copies() adds to x.files the files that a copy or a move from the given sources creates. It returns false if there
// are no sources.
func (x *expansion) copies(sources []*effect.Effect, to *effect.Effect) bool {
	inside := len(sources) > 1 || len(sources) > 0 && (x.isFolder(to.Path) || len(to.Inside) > 0 && x.makes(to))
	for _, from := range sources {
		if !x.spend(1) {
			break
		}
		x.copied(from, to.Path, inside)
	}
	return len(sources) > 0
}

// makes() reports whether an earlier command of the call makes the path of a write, which is then a new folder.
func (x *expansion) makes(to *effect.Effect) bool {
	for i := range x.call.Effects {
		e := &x.call.Effects[i]
		if e == to || !x.spend(1) {
			break
		}
		if e.Kind == effect.Write && e.Path == to.Path {
			return true
		}
	}
	return false
}

// copied() adds to x.files the files that a copy from the path of an effect to another path creates. If the parameter
// "inside" is set, the other path is a folder, and the copy is created in it.
func (x *expansion) copied(from *effect.Effect, to string, inside bool) {
	switch {
	case from.Glob:
		x.moved(from.Path, to)
		return
	case inside:
		to = path.Join(to, path.Base(from.Path))
	}
	before := len(x.files)
	if x.addBelow(from.Path, to); len(x.files) == before {
		x.files = append(x.files, to)
	}
}

// moved() adds to x.files the new paths of files that are moved to another folder. The glob matches the files that are
// moved.
func (x *expansion) moved(glob, folder string) {
	before := len(x.files)
	x.matching(glob, false)
	for i := before; i < len(x.files); i++ {
		x.files[i] = path.Join(folder, path.Base(x.files[i]))
	}
}

// matching() adds to x.files the files that a glob matches. If the parameter "tree" is set, it also adds all files in
// folders that the glob matches.
func (x *expansion) matching(glob string, tree bool) {
	// In a shell, only ** matches names with slashes. In a pattern, * also matches such names.
	deep := strings.Contains(glob, "**")
	wider := pattern.Wider(glob)
	g, err := pattern.CompileGlob(wider)
	if err != nil {
		return
	}
	slashes := strings.Count(glob, "/")
	x.walk(fixedFolder(wider), func(name string, folder bool) bool {
		if g.Match(name) && (deep || strings.Count(name, "/") == slashes) && (!folder || tree) {
			if folder {
				x.addBelow(name, name)
				return false
			}
			x.files = append(x.files, name)
		}
		return true
	})
}

// addBelow adds the files in a folder to x.files, under new paths. In each new path, the second parameter ("as")
// replaces the folder.
func (x *expansion) addBelow(folder, as string) {
	x.walk(folder, func(name string, isFolder bool) bool {
		if !isFolder {
			x.files = append(x.files, path.Join(as, strings.TrimPrefix(name, folder)))
		}
		return true
	})
}

// walk() calls visit() for each entry below a folder, until the limit is reached. If visit() returns true for a folder,
// walk() continues inside this folder.
func (x *expansion) walk(folder string, visit func(name string, folder bool) bool) {
	entries := x.read(folder, x.left)
	x.left -= len(entries)
	for _, entry := range entries {
		if entry.Folder && entry.Name == ".git" {
			continue
		}
		name := path.Join(folder, entry.Name)
		if visit(name, entry.Folder) && entry.Folder && x.left > 0 {
			x.walk(name, visit)
		}
	}
}

func (x *expansion) isFolder(name string) bool { return len(x.read(name, 1)) > 0 }
