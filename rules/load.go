package rules

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"guardrails/guideline"
	"guardrails/internal/document"
)

// Loaded holds the definitions of several files, and all problems in them.
type Loaded struct {
	Guidelines []Source
	Cases      []Case
	Problems   document.Problems
}

// Plain returns the guidelines without their origins.
func (l *Loaded) Plain() []guideline.Guideline {
	out := make([]guideline.Guideline, len(l.Guidelines))
	for i := range l.Guidelines {
		out[i] = l.Guidelines[i].Guideline
	}
	return out
}

// Join combines several results. If more than one guideline has the same id, it keeps the first of these guidelines.
func Join(parts ...*Loaded) *Loaded {
	var all Loaded
	ids := map[string]Origin{}
	for _, part := range parts {
		sources, repeated := Unique(part.Guidelines, ids)
		if all.Guidelines == nil {
			all.Guidelines = sources
		} else {
			all.Guidelines = append(all.Guidelines, sources...)
		}
		all.Cases = append(all.Cases, part.Cases...)
		all.Problems = append(append(all.Problems, repeated...), part.Problems...)
	}
	return &all
}

// Load reads guideline files and folders. If a file has a problem, Load still reads the other files. Load reports a
// folder without guideline files, because the path is probably wrong. If several guidelines have the same id, Load
// keeps the first.
func Load(paths ...string) *Loaded {
	l := &loading{ids: map[string]Origin{}, files: map[string]bool{}}
	if len(paths) == 0 {
		l.problem("", "no guideline files are given", "name a file or a folder")
	}
	for _, p := range paths {
		info, err := os.Stat(p)
		switch {
		case err != nil:
			l.unreadable(p, err, "check the path")
		case info.IsDir():
			l.folder(p)
		default:
			l.read(p, func() (fs.File, error) { return os.Open(p) })
		}
	}
	return &l.Loaded
}

type loading struct {
	Loaded
	ids map[string]Origin
	// The field "files" holds the files that were already read. A caller may name both a folder and a file in this
	// folder.
	files map[string]bool
}

func (l *loading) problem(file, message, remedy string) {
	l.Problems = append(l.Problems, document.Problem{File: file, Message: message, Remedy: remedy})
}

func (l *loading) unreadable(file string, err error, remedy string) {
	var cause *fs.PathError
	if errors.As(err, &cause) {
		err = cause.Err
	}
	l.problem(file, fmt.Sprintf("cannot be read: %v", err), remedy)
}

// folder() reads the files in a folder. It uses os.Root, so it does not follow links that lead out of the folder.
func (l *loading) folder(dir string) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		l.unreadable(dir, err, "check its permissions")
		return
	}
	defer func() { _ = root.Close() }()
	found := 0
	walk := func(name string, entry fs.DirEntry, err error) error {
		switch full := filepath.Join(dir, filepath.FromSlash(name)); {
		case err != nil:
			l.unreadable(full, err, "check its permissions")
			return nil
		case entry.IsDir():
			if name != "." && hidden(name) {
				return fs.SkipDir
			}
		case wanted(entry):
			found++
			l.entry(root, name, full, entry)
		}
		return nil
	}
	// The function walk() reports every error itself and returns none.
	_ = fs.WalkDir(root.FS(), ".", walk)
	if found == 0 {
		l.problem(dir, "no guideline files in this folder", "add a file with "+extensions+", or name another folder")
	}
}

func hidden(name string) bool { return strings.HasPrefix(path.Base(name), ".") }

// wanted() reports whether an entry is a guideline file, or a link without an extension, which may lead to a folder.
func wanted(entry fs.DirEntry) bool {
	if hidden(entry.Name()) {
		return false
	}
	switch extension(entry.Name()) {
	case ".yaml", ".yml", ".json", ".md":
		return true
	case "":
		return entry.Type()&fs.ModeSymlink != 0
	}
	return false
}

func (l *loading) entry(root *os.Root, name, full string, entry fs.DirEntry) {
	if entry.Type()&fs.ModeSymlink != 0 {
		info, err := root.Stat(name)
		if err != nil {
			l.unreadable(full, err, "links are followed only within the folder; copy the file into the folder, or give the path of the file to which the link leads")
			return
		}
		if info.IsDir() {
			l.problem(full, "is a link to a folder, and such links are not followed", "give the path of that folder itself")
			return
		}
		if extension(name) == "" {
			return
		}
	}
	l.read(full, func() (fs.File, error) { return root.Open(name) })
}

func (l *loading) read(name string, open func() (fs.File, error)) {
	if real, err := filepath.EvalSymlinks(name); err == nil {
		if abs, err := filepath.Abs(real); err == nil {
			real = abs
		}
		if l.files[real] {
			return
		}
		l.files[real] = true
		if info, err := os.Stat(real); err == nil && !info.Mode().IsRegular() {
			// Opening a named pipe would block until a program writes to it.
			l.problem(name, "is not a regular file", "copy its content into a regular file")
			return
		}
	}
	text, err := readAll(open)
	if err != nil {
		l.unreadable(name, err, "check its permissions")
		return
	}
	l.add(name, text)
}

func readAll(open func() (fs.File, error)) ([]byte, error) {
	f, err := open()
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }() // Closing a file after reading cannot lose data.
	return io.ReadAll(io.LimitReader(f, document.MaxSize+1))
}

func (l *loading) add(name string, text []byte) {
	file, problems := Parse(name, text)
	sources, repeated := Unique(file.Guidelines, l.ids)
	l.Guidelines = append(l.Guidelines, sources...)
	l.Cases = append(l.Cases, file.Cases...)
	l.Problems = append(l.Problems, inReadingOrder(append(problems, repeated...))...)
}
