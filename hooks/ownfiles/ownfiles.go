// Package ownfiles notices that a file of the guard itself has changed during a session: a program, or a file with
// settings or guidelines. If only the user may change a file, the package restores the file's earlier content. ADR 040
// explains the design.
//
// Start and Places create the list of files that a session checks. Open reads the list, Changed compares it with the
// disk, and PutBack, Accept and MustTell deal with a change.
package ownfiles

import (
	"os"
	"path/filepath"
	"strings"

	"guardrails/hooks/session"
	"guardrails/internal/private"
)

// Kind says what is compared, and what happens after a change.
type Kind string

// The kinds. If a kept file changes, its earlier content is put back. If another file changes, a person is asked.
const (
	KeptFile       Kind = "F"
	KeptSettings   Kind = "S" // the client's settings, of which only some members count
	KeptFolder     Kind = "D" // the files with guidelines in a folder
	SharedFile     Kind = "f"
	SharedSettings Kind = "s"
	SharedFolder   Kind = "d"
)

// Kept reports whether the earlier content of a file is put back after a change.
func (k Kind) Kept() bool { return k < "a" }

func (k Kind) isFolder() bool   { return k == KeptFolder || k == SharedFolder }
func (k Kind) isSettings() bool { return k == KeptSettings || k == SharedSettings }

// ofFile returns the kind for a file in a folder of kind k, or for a link to a file of kind k.
func (k Kind) ofFile() Kind {
	if k.Kept() {
		return KeptFile
	}
	return SharedFile
}

// File is a file or folder of the list.
type File struct {
	Kind Kind
	Path string
	// The fields "stamp" and "sum" describe the file as it should be. The field "copied" is the name of the copy from
	// which the file can be put back.
	stamp       private.Stamp
	sum, copied string
	// The field "told" is the sum of the changed content about which the user was told, or "".
	told string
}

// The constant "none" stands for a missing sum or copy.
const none = "-"

// Limits of a list. A project with higher layers can have 1000 files with guidelines. Every program of guardrails is
// smaller than maxFile.
const (
	maxFiles = 1500
	maxFile  = 64 << 20
	// MaxList is the largest size of a list.
	MaxList = 1 << 20
)

// Files is the list of a session.
type Files struct {
	dir  *private.Dir
	name string
	// The field "state" is the state folder, or "". It contains a folder with copies of the kept files, and a folder
	// with the changed versions of files that were put back.
	state string
	key   private.Key
	list  []File
	// Messages are sentences that the user has not seen yet.
	Messages []string
	unsaved  bool
	// The field "full" is set if there are more files than a list can have.
	full bool
}

// AsideFolder is the folder, in the state folder, with the changed versions of files that were put back.
const AsideFolder = "changed"

// LastName is the name of the file, in the state folder, with the list that the last session began with. The next session
// uses this list. The constant copiesFolder is the name of the folder with the copies.
const (
	LastName     = "own-files"
	copiesFolder = "copies"
)

func newFiles(dir *private.Dir, state, name string) *Files {
	return &Files{dir: dir, name: name, state: state, key: dir.KeyOf(LastName)}
}

// Open reads the list of a session. The parameter "state" is the path of the state folder, or "".
func Open(dir *private.Dir, state, id string) (*Files, error) {
	f := newFiles(dir, state, session.OwnFilesName(id))
	return f, f.read()
}

func (f *Files) read() error {
	text, err := f.dir.ReadSigned(f.name, MaxList)
	if err == nil && !f.parse(string(text)) {
		err = &private.Failed{What: "cannot be used", Path: f.dir.Path(f.name), Err: private.ErrUnsigned, Remedy: "remove it"}
	}
	return err
}

// Save writes the list if it has changed.
func (f *Files) Save() error {
	if !f.unsaved {
		return nil
	}
	f.unsaved = false
	return f.dir.Write(f.name, f.dir.KeyOf(f.name).Sign(f.encode()))
}

// Changed returns the positions of the files that have changed. If only the stamp of a file is different, it updates
// the stamp in the list.
func (f *Files) Changed() (changed []int) {
	for i := 0; i < len(f.list); i++ { // the list grows if a folder has changed
		x := &f.list[i]
		now := private.StampOf(x.Path)
		if now == x.stamp {
			continue
		}
		sum, content := f.look(x, now)
		if sum != x.sum {
			changed = append(changed, i)
			continue
		}
		f.take(x, now, content)
	}
	if f.full && f.tellsFull() {
		f.Tell(string(ErrFull) + ".")
	}
	return changed
}

// tellsFull reports whether the user has not been told yet that the list is full. It records in the folders of the list
// that the user is told now.
func (f *Files) tellsFull() (first bool) {
	for i := range f.list {
		if x := &f.list[i]; x.Kind.isFolder() && x.told != toldFull {
			x.told, f.unsaved, first = toldFull, true, true
		}
	}
	return first
}

const toldFull = "full"

// take() updates the stamp of a file. For a kept file, it also updates the copy. For a folder, it adds the files in the
// folder to the list.
func (f *Files) take(x *File, now private.Stamp, content []byte) {
	f.unsaved = true
	switch {
	case x.Kind.isFolder():
		f.expand(x, now)
		return // x is no longer valid, because the list may have moved in memory
	case x.Kind.Kept():
		x.copied = f.keepCopy(content, now)
	}
	x.stamp = now
}

// look() returns the sum of a file and the whole content of the file. The sum covers only the part of the file that is
// compared.
func (f *Files) look(x *File, now private.Stamp) (sum string, content []byte) {
	switch kind := now.Mode.Type(); {
	case x.Kind.isFolder() && (kind == os.ModeDir || !now.Exists()):
		return none, nil
	case kind == os.ModeSymlink:
		text, _ := os.Readlink(x.Path)
		return "link-" + f.sumOf([]byte(text)), []byte(text)
	case !now.Exists() && !x.Kind.isSettings():
		return none, nil
	case kind != 0:
		return "irregular", nil
	}
	if now.Exists() {
		var err error
		if content, err = private.ReadPlain(x.Path, maxFile); err != nil {
			return "unreadable", nil
		}
	}
	if x.Kind.isSettings() {
		return f.sumOf(settings(content)), content
	}
	return modeOf(x, now) + f.sumOf(content), content
}

// modeOf returns a text for the mode of a file. This text becomes a part of the file's sum. The mode matters because a
// program that can no longer be run would switch the guard off.
func modeOf(x *File, now private.Stamp) string {
	if !x.Kind.Kept() {
		return ""
	}
	return octal(now.Mode.Perm()) + "-"
}

func (f *Files) sumOf(content []byte) string { return string(f.key.Sum(content)) }

// expand() adds the files of a folder to the list, unless they are in the list already. An added file is treated as if
// it had been missing before.
func (f *Files) expand(x *File, now private.Stamp) {
	x.stamp = now
	folder, kind := x.Path, x.Kind.ofFile()
	if !now.Exists() {
		return
	}
	open, err := os.Open(folder)
	if err != nil {
		return
	}
	names, _ := open.Readdirnames(-1) // after an error, the next comparison tries again
	_ = open.Close()
	for _, name := range names {
		switch strings.ToLower(filepath.Ext(name)) {
		case ".yaml", ".yml", ".json":
			f.addPlace(Place{Kind: kind, Path: filepath.Join(folder, name)})
		}
	}
}

// add() adds a file to the list. The file counts as missing until it is accepted.
func (f *Files) add(kind Kind, path string) {
	if strings.ContainsAny(path, "\t\n") || !filepath.IsAbs(path) {
		return
	}
	for i := range f.list {
		if f.list[i].Path == path {
			return
		}
	}
	if len(f.list) >= maxFiles {
		f.full = true
		return
	}
	f.list = append(f.list, File{Kind: kind, Path: path, sum: none, copied: none})
}
