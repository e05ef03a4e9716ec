package ownfiles

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"guardrails/hooks/session"
	"guardrails/internal/private"
	"guardrails/internal/product"
)

// Place is a file or folder to compare.
type Place struct {
	Kind Kind
	Path string
}

// Places returns the guard's own files. A file that does not exist is included, unless it is a program. The argument
// "program" is the path of one of the programs. The other programs are in the same folder.
func Places(env func(string) string, program, root string) []Place {
	var out []Place
	for _, name := range product.Programs() {
		if runtime.GOOS == "windows" {
			name += ".exe"
		}
		path, kind := filepath.Join(filepath.Dir(program), name), KeptFile
		if !private.StampOf(path).Exists() {
			continue
		}
		if strings.HasPrefix(path, root+string(filepath.Separator)) {
			kind = SharedFile // the project builds guardrails itself
		}
		out = append(out, Place{kind, path})
	}
	for _, dir := range [...]string{product.ManagedDir(), product.ConfigDir(env)} {
		if dir != "" {
			out = append(out, Place{KeptFile, filepath.Join(dir, product.ConfigName)},
				Place{KeptFolder, filepath.Join(dir, product.LayerGuidelinesFolder)})
		}
	}
	out = append(out, Place{KeptFile, filepath.Join(product.PolicyDir(runtime.GOOS), product.ManagedSettingsName)})
	if dir := product.ClientDir(env); dir != "" {
		out = append(out, Place{KeptSettings, filepath.Join(dir, product.SettingsName)})
	}
	for _, in := range [...]Place{
		{SharedFile, product.ConfigFile},
		{SharedFile, product.PoliciesFile},
		{SharedFolder, product.GuidelinesFolder},
		{SharedSettings, product.Settings},
		{SharedSettings, product.LocalSettings},
		{SharedFile, product.MCPFile},
	} {
		out = append(out, Place{in.Kind, filepath.Join(root, filepath.FromSlash(in.Path))})
	}
	return out
}

// ErrFull says that the list does not have all files.
const ErrFull = problem("guardrails has too many files of its own here, so only 1500 of them are compared. It does not " +
	"notice changes of the others")

// Start makes the list of a session from the files as they are now. It uses the list of the previous session, so it
// reads only files that have changed since then.
func Start(dir *private.Dir, state, id string, places []Place) error {
	f := newFiles(dir, state, session.OwnFilesName(id))
	for _, p := range places {
		f.addPlace(p)
	}
	last := lastList(state)
	for i := 0; i < len(f.list); i++ { // the list grows when a folder adds its files
		if !f.reuse(i, last) {
			f.Accept(i)
		}
	}
	if f.full {
		f.tellsFull() // the error below tells the user
	}
	f.unsaved = true
	err := f.Save()
	if err == nil {
		f.noteBegun(id)
	}
	if err == nil && f.full {
		err = ErrFull
	}
	if last != nil {
		last.list, last.unsaved = f.kept(), true
		_ = last.Save() // if this fails, the next session reads all files again
		f.removeOld()
	}
	return err
}

// begunFolder is the folder, in the state folder, with a file for each session that has had a list.
const begunFolder = "begun"

// The files in begunFolder are kept as long as the files of an inactive session. guardrails does not look for old files at
// each start of a session, because there can be thousands.
const (
	keepBegun  = 7 * 24 * time.Hour
	sweepEvery = time.Hour
)

// noteBegun records that a session has had a list. Without this record, the records in the session's folder count.
func (f *Files) noteBegun(id string) {
	if f.state == "" {
		return
	}
	d, err := private.Open(filepath.Join(f.state, begunFolder))
	if err != nil {
		return
	}
	_ = d.Touch(begunName(id))
	if last, ok := d.Seen(session.SweptName); ok && time.Since(last).Abs() < sweepEvery {
		return
	}
	if d.Touch(session.SweptName) == nil {
		removeOlder(d, keepBegun)
	}
}

func begunName(id string) string { return session.Prefix(id) + "begun" }

// HasBegun reports whether a list was made for a session. The parameter "state" is the path of the state folder.
func HasBegun(state, id string) bool {
	return private.StampOf(state + "/" + begunFolder + "/" + begunName(id)).Exists()
}

// addPlace adds a file to the list. If the file is a link, addPlace adds the link and the file to which it leads.
func (f *Files) addPlace(p Place) {
	if private.StampOf(p.Path).Mode&os.ModeSymlink != 0 {
		f.add(p.Kind.ofFile(), p.Path)
		real, err := filepath.EvalSymlinks(p.Path)
		if err != nil {
			return
		}
		p.Path = real
	}
	f.add(p.Kind, p.Path)
}

// lastList returns the list of the previous session. It returns nil if there is no state folder.
func lastList(state string) *Files {
	if state == "" {
		return nil
	}
	dir, err := private.Open(state)
	if err != nil {
		return nil
	}
	last := newFiles(dir, state, LastName)
	if last.read() != nil {
		last.list = nil
	}
	return last
}

// reuse() takes the data about a file from the list of the previous session, and reports whether this worked. It fails
// if the file has changed since then, or if the saved copy of the file is missing.
func (f *Files) reuse(i int, last *Files) bool {
	x := &f.list[i]
	if last == nil || x.Kind.isFolder() {
		return false
	}
	now := private.StampOf(x.Path)
	for k := range last.list {
		if was := last.list[k]; was.Path == x.Path && was.Kind == x.Kind && was.stamp == now && now.Exists() {
			was.told = ""
			*x = was
			return f.refreshCopy(x)
		}
	}
	return false
}

// refreshCopy reports whether the copy of a file exists. It sets the time of the copy to now, so that the copy is not
// removed.
func (f *Files) refreshCopy(x *File) bool {
	d, err := f.folder()
	if err != nil || x.copied == none {
		return false
	}
	_, have := d.Seen(x.copied)
	return have && d.Touch(x.copied) == nil
}

func (f *Files) kept() (out []File) {
	for i := range f.list {
		if f.list[i].Kind.Kept() && !f.list[i].Kind.isFolder() {
			out = append(out, f.list[i])
		}
	}
	return out
}

// keepFor is how long copies and changed files are kept after their last use.
const keepFor = 30 * 24 * time.Hour

// removeOld removes copies that no session has used for a long time, and old versions that were kept when a file was
// put back.
func (f *Files) removeOld() {
	for _, name := range [...]string{copiesFolder, AsideFolder} {
		d, err := private.Open(filepath.Join(f.state, name))
		if err != nil {
			continue
		}
		removeOlder(d, keepFor)
	}
}

// removeOlder removes the files that nothing has touched for the given time.
func removeOlder(d *private.Dir, age time.Duration) {
	names, _ := d.List("")
	for _, file := range names {
		if at, ok := d.Seen(file); ok && time.Since(at) > age {
			_, _ = d.Remove(file) // the next session tries again
		}
	}
}

// AcceptIn makes the given files count as unchanged in all sessions. If a person has started a command, the command
// calls AcceptIn after it has written these files.
func AcceptIn(env func(string) string, paths ...string) {
	dir, err := private.Runtime(env)
	if err != nil {
		return // there are no sessions
	}
	names, _ := dir.List(product.SessionPrefix)
	for _, name := range names {
		if filepath.Ext(name) != ".own-files" {
			continue
		}
		f := newFiles(dir, product.StateDir(env), name)
		if f.read() == nil {
			f.acceptPaths(paths)
		}
	}
}

func (f *Files) acceptPaths(paths []string) {
	for _, i := range f.Changed() {
		for _, path := range paths {
			real, err := filepath.EvalSymlinks(path)
			if err != nil {
				real = path
			}
			if at := f.list[i].Path; at == path || at == real {
				f.Accept(i)
			}
		}
	}
	_ = f.Save() // otherwise the session asks a person about the change
}
