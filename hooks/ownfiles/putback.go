package ownfiles

import (
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"guardrails/internal/private"
)

// ChangedAt returns the time at which a file was changed. If the file is missing, it returns the time at which the
// file's folder was changed.
func (f *Files) ChangedAt(i int) time.Time {
	path := f.list[i].Path
	now := private.StampOf(path)
	if !now.Exists() {
		now = private.StampOf(filepath.Dir(path))
	}
	if !now.Exists() {
		return time.Now()
	}
	return time.Unix(0, now.Changed)
}

// At returns a file of the list.
func (f *Files) At(i int) *File { return &f.list[i] }

// Sum returns the checksum of a file's current content.
func (f *Files) Sum(i int) string {
	x := &f.list[i]
	sum, _ := f.look(x, private.StampOf(x.Path))
	return sum
}

// MustTell reports whether the user must still be told about the current content of a file. It also records that the
// user was told.
func (f *Files) MustTell(i int) bool {
	x := &f.list[i]
	sum := f.Sum(i)
	if x.told == sum {
		return false
	}
	x.told, f.unsaved = sum, true
	return true
}

// Accept makes a file count as unchanged from now on.
func (f *Files) Accept(i int) {
	x := &f.list[i]
	now := private.StampOf(x.Path)
	sum, content := f.look(x, now)
	x.sum, x.told = sum, ""
	f.take(x, now, content)
}

// Tell adds a message for the user.
func (f *Files) Tell(text string) { f.Messages, f.unsaved = append(f.Messages, text), true }

// TakeMessages returns the messages for the user, and removes them from the list.
func (f *Files) TakeMessages() []string {
	out := f.Messages
	if len(out) > 0 {
		f.Messages, f.unsaved = nil, true
	}
	return out
}

// The type "problem" is an error with a fixed text. It can be a constant. Unlike a variable, a constant costs no time
// when a program starts.
type problem string

func (p problem) Error() string { return string(p) }

const (
	errNoCopy  = problem("guardrails has no copy of it")
	errNoAside = problem("the changed version cannot be kept")
)

// PutBack restores a file, and returns the path at which it has kept the changed version. The path is "" if the file
// was missing, or if only its mode had changed.
func (f *Files) PutBack(i int) (aside string, err error) {
	x := &f.list[i]
	var content []byte
	if x.stamp.Exists() && !x.Kind.isFolder() {
		if content, err = f.copyOf(x); err != nil {
			return "", err
		}
	}
	if aside, err = f.setAside(x); err != nil {
		return "", err
	}
	f.unsaved = true
	switch {
	case x.Kind.isFolder():
		_ = os.Remove(x.Path) // a link or a file may have replaced the folder
		err = os.MkdirAll(x.Path, 0o700)
	case !x.stamp.Exists():
		if err = os.Remove(x.Path); errors.Is(err, os.ErrNotExist) {
			err = nil
		}
	default:
		err = replace(x.Path, content, x.stamp.Mode)
	}
	if err == nil {
		x.stamp, x.told = private.StampOf(x.Path), ""
	}
	return aside, err
}

// replace() writes a file or a link under another name, and then renames it. So other programs always find the whole
// file.
func replace(path string, content []byte, mode os.FileMode) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	draft := path + ".guardrails-" + strconv.Itoa(os.Getpid())
	_ = os.Remove(draft) // a killed process with the same id may have left a draft
	err := write(draft, content, mode)
	if err == nil {
		err = os.Rename(draft, path)
	}
	if err != nil {
		_ = os.Remove(draft)
	}
	return err
}

func write(path string, content []byte, mode os.FileMode) error {
	if mode&os.ModeSymlink != 0 {
		return os.Symlink(string(content), path)
	}
	if err := os.WriteFile(path, content, 0o600); err != nil {
		return err
	}
	return os.Chmod(path, mode.Perm())
}

// setAside keeps the changed version of a file in the state folder. If this version cannot be copied, setAside
// renames it.
func (f *Files) setAside(x *File) (string, error) {
	now := private.StampOf(x.Path)
	if !now.Exists() {
		return "", nil
	}
	_, content := f.look(x, now)
	if content == nil && (now.Size > 0 || !now.Mode.IsRegular()) {
		aside := x.Path + ".changed-" + strconv.FormatInt(now.Changed, 36)
		return aside, os.Rename(x.Path, aside)
	}
	d, err := private.Open(filepath.Join(f.state, AsideFolder))
	if err != nil || f.state == "" {
		return "", errNoAside
	}
	sum := f.sumOf(content)
	if sum == x.copied {
		return "", nil // only its mode has changed
	}
	name := plain(filepath.Base(x.Path)) + "-" + sum
	return d.Path(name), d.Write(name, content)
}

// plain() returns a name without the characters that the package named private does not allow.
func plain(name string) string {
	out := []byte(name)
	for i, c := range out {
		dot := c == '.' && i > 0 && i < len(out)-1 && out[i-1] != '.'
		if !dot && !private.IsWord(string(c)) {
			out[i] = '_'
		}
	}
	return string(out)
}

// keepCopy keeps the content of a file, and returns the name of the copy. If that fails, keepCopy returns the constant
// none. The file is compared with its earlier state even without a copy.
func (f *Files) keepCopy(content []byte, now private.Stamp) string {
	if !now.Exists() || now.Mode.Type()&^os.ModeSymlink != 0 {
		return none
	}
	d, err := f.folder()
	if err != nil {
		return none
	}
	name := f.sumOf(content)
	if _, have := d.Seen(name); have {
		err = d.Touch(name)
	} else {
		err = d.Write(name, content)
	}
	if err != nil {
		return none
	}
	return name
}

// copyOf returns the earlier content of a file from its copy. The name of a copy is the sum of its content, so a copy
// that was changed is not used.
func (f *Files) copyOf(x *File) ([]byte, error) {
	d, err := f.folder()
	if err != nil || x.copied == none {
		return nil, errNoCopy
	}
	content, err := d.Read(x.copied, maxFile)
	if err != nil || f.sumOf(content) != x.copied {
		return nil, errNoCopy
	}
	return content, nil
}

func (f *Files) folder() (*private.Dir, error) {
	if f.state == "" {
		return nil, errNoCopy
	}
	return private.Open(filepath.Join(f.state, copiesFolder))
}
