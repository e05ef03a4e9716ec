package decide

import (
	"path"
	"slices"
	"strings"

	"guardrails/detect/effect"
	"guardrails/guideline/pattern"
)

// ListFunc returns at most limit entries of a folder of the project. If the folder has no other entries, complete is
// true.
type ListFunc = func(folder string, limit int) (entries []Entry, complete bool)

// ChangesProject reports whether an effect changes a file of the project. The limit max_files counts only such files.
func ChangesProject(e *effect.Effect) bool {
	if e.Kind != effect.Write && e.Kind != effect.Delete || e.Inert {
		return false
	}
	return e.Path != "" && !e.IsTemporary() && !pattern.IsRooted(e.Path)
}

// ChangedFiles returns the files of the project that one effect of a call changes. If the effect changes a glob, it
// lists the files on disk that match. If a folder is copied, moved or deleted, it lists the files in the folder. If
// list is nil, it returns only the path that the effect names.
func ChangedFiles(call *effect.Analysis, i int, list ListFunc) []string {
	e := &call.Effects[i]
	if !ChangesProject(e) {
		return nil
	}
	if list == nil || e.Unknown {
		return []string{e.Path}
	}
	x := &expansion{list: list, left: maxListed}
	switch {
	case e.Kind == effect.Delete && isMove(call, i):
		return nil // the same files count where they arrive
	case e.Kind == effect.Write && x.copies(call, i):
		return x.sorted()
	case e.Glob:
		x.matching(e.Path, e.Tree)
	case e.Kind == effect.Delete && e.Tree && !IsGenerated(e.Path):
		x.below(e.Path, e.Path)
	}
	if len(x.files) == 0 {
		return []string{e.Path}
	}
	return x.sorted()
}

// IsGenerated reports whether a path is in a folder such as node_modules or build, whose content tools have created.
func IsGenerated(name string) bool {
	for part := range strings.SplitSeq(name, "/") {
		switch part {
		case "node_modules", "vendor", "third_party", "dist", "build", "out", "target", "coverage", "venv", ".venv", "__pycache__":
			return true
		}
	}
	return false
}

// isMove reports whether a deletion is part of a move, because the same command also writes a file.
func isMove(call *effect.Analysis, i int) bool {
	for n := range call.Effects {
		if e := &call.Effects[n]; e.Kind == effect.Write && e.Span == call.Effects[i].Span && e.Path != "" {
			return true
		}
	}
	return false
}

type expansion struct {
	list  ListFunc
	files []string
	left  int
}

func (x *expansion) sorted() []string {
	slices.Sort(x.files)
	return x.files
}

// copies adds the files that a copy or a move creates. It returns false if the effect is neither.
func (x *expansion) copies(call *effect.Analysis, i int) bool {
	to := &call.Effects[i]
	var sources []*effect.Effect
	for n := range call.Effects {
		from := &call.Effects[n]
		if from.Span == to.Span && (from.Kind == effect.Read || from.Kind == effect.Delete) && from.Path != "" && !from.Unknown {
			sources = append(sources, from)
		}
	}
	for _, from := range sources {
		x.copied(from, to.Path, len(to.Inside) > 0 || len(sources) > 1 || x.isFolder(to.Path))
	}
	return len(sources) > 0
}

// copied adds the files that exist after the source of an effect was copied to a path. If inside is set, the path is a
// folder and the copy is created in it.
func (x *expansion) copied(from *effect.Effect, to string, inside bool) {
	switch {
	case from.Glob:
		x.moved(from.Path, to)
		return
	case inside:
		to = path.Join(to, path.Base(from.Path))
	}
	before := len(x.files)
	if x.below(from.Path, to); len(x.files) == before {
		x.files = append(x.files, to)
	}
}

// moved finds the files that a glob matches, and adds their new paths in another folder.
func (x *expansion) moved(glob, folder string) {
	before := len(x.files)
	x.matching(glob, false)
	for i := before; i < len(x.files); i++ {
		x.files[i] = path.Join(folder, path.Base(x.files[i]))
	}
}

// matching adds the files that a glob matches. If tree is set, it also adds all files in folders that the glob matches.
func (x *expansion) matching(glob string, tree bool) {
	// In a shell, only ** matches names with slashes. In a pattern, * does so too.
	deep := strings.Contains(glob, "**")
	g, err := pattern.CompileGlob(strings.ReplaceAll(glob, "**/", "*"))
	if err != nil {
		return
	}
	slashes := strings.Count(glob, "/")
	x.walk(fixedFolder(glob), func(name string, folder bool) bool {
		if g.Match(name) && (deep || strings.Count(name, "/") == slashes) && (!folder || tree) {
			if folder {
				x.below(name, name)
				return false
			}
			x.files = append(x.files, name)
		}
		return true
	})
}

// below adds the files in a folder under new paths. At the beginning of each path, the parameter as replaces
// the folder.
func (x *expansion) below(folder, as string) {
	x.walk(folder, func(name string, isFolder bool) bool {
		if !isFolder {
			x.files = append(x.files, path.Join(as, strings.TrimPrefix(name, folder)))
		}
		return true
	})
}

// walk calls visit() for each entry below a folder, until the limit is reached. If visit() returns true for a folder,
// walk continues inside this folder.
func (x *expansion) walk(folder string, visit func(name string, folder bool) bool) {
	entries, _ := x.list(folder, x.left)
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

func (x *expansion) isFolder(name string) bool {
	entries, _ := x.list(name, 1)
	return len(entries) > 0
}
