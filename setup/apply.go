package setup

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
)

// Apply makes all changes of a plan, or none. It first writes every new text to a file next to the old file. When all
// these files are complete, Apply moves them into place. If a move fails, Apply undoes the earlier moves.
func (p *Plan) Apply(t Target) error {
	changes := slices.Clone(p.Changes)
	if p.record != nil {
		changes = append(changes, *p.record)
	}
	w := &writer{target: t}
	for i := range changes {
		if err := w.stage(&changes[i]); err != nil {
			w.discard()
			return err
		}
	}
	if err := w.place(); err != nil {
		return err
	}
	for _, dir := range p.folders {
		_ = os.Remove(dir) // os.Remove fails for a folder that is not empty.
	}
	return nil
}

// Paths returns the files that the plan changes.
func (p *Plan) Paths() []string {
	var paths []string
	for i := range p.Changes {
		paths = append(paths, p.Changes[i].Path)
	}
	return paths
}

type writer struct {
	target Target
	staged []staged
	made   []string
}

// The type "staged" is a change that can be put into place. The fields "text" and "backup" are the paths of two files
// next to the target. The first file contains the new text, and the second a copy of the old text.
type staged struct {
	change       *Change
	text, backup string
}

// stage() writes the new text and a copy of the old text to files. It fails if the target has changed since the plan
// was made.
func (w *writer) stage(c *Change) error {
	now, err := w.target.ReadFile(c.Path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		now = nil
	case err != nil:
		return err
	}
	if (now == nil) != (c.Before == nil) || !bytes.Equal(now, c.Before) {
		return fmt.Errorf("%s: another program has just changed it; run the command again", c.Path)
	}
	if err := w.folder(filepath.Dir(c.Path), c.private); err != nil {
		return err
	}
	s := staged{change: c}
	if c.After != nil {
		s.text, err = writeBeside(c, c.After, ".new-*")
	}
	if err == nil && c.Before != nil {
		s.backup, err = writeBeside(c, c.Before, ".old-*")
	}
	w.staged = append(w.staged, s)
	return err
}

// folder() creates a folder and its missing parents.
func (w *writer) folder(dir string, private bool) error {
	mode := fs.FileMode(0o755)
	if private {
		mode = 0o700
	}
	for at := dir; ; at = filepath.Dir(at) {
		if _, err := os.Lstat(at); err == nil || at == filepath.Dir(at) {
			break
		}
		w.made = append(w.made, at)
	}
	if err := os.MkdirAll(dir, mode); err != nil {
		return fmt.Errorf("%s: cannot be created: %w; check the permissions of its parent folder", dir, cause(err))
	}
	return nil
}

// writeBeside writes a text to a new file, which will later replace another file. The new file is in the same folder as
// the other file, and has the same mode.
func writeBeside(c *Change, text []byte, pattern string) (string, error) {
	file, err := os.CreateTemp(filepath.Dir(c.Path), "."+filepath.Base(c.Path)+pattern)
	if err != nil {
		return "", unwritable(c.Path, err)
	}
	_, err = file.Write(text)
	err = errors.Join(err, chmod(file, mode(c)), file.Sync(), file.Close())
	if err != nil {
		err = unwritable(c.Path, err)
	}
	return file.Name(), err
}

func unwritable(path string, err error) error {
	return fmt.Errorf("%s: cannot be written: %w; check the permissions of its folder and the space on the disk", path,
		cause(err))
}

// mode() returns the mode of the existing file, or the default mode for a new file.
func mode(c *Change) fs.FileMode {
	if info, err := os.Stat(c.Path); err == nil {
		return info.Mode().Perm()
	}
	if c.private {
		return 0o600
	}
	return 0o644
}

// place() moves the new text to the path of the file. If the change is to remove the file, place() removes the file.
func (s *staged) place() error {
	if s.text == "" {
		if err := os.Remove(s.change.Path); err != nil {
			return fmt.Errorf("%s: cannot be removed: %w; check the permissions of its folder", s.change.Path, cause(err))
		}
		return nil
	}
	if err := os.Rename(s.text, s.change.Path); err != nil {
		return unwritable(s.change.Path, err)
	}
	return nil
}

// place() makes all changes. If a change fails, place() undoes the earlier changes.
func (w *writer) place() error {
	for i := range w.staged {
		if err := w.staged[i].place(); err != nil {
			return errors.Join(err, w.putBack(i))
		}
	}
	for _, s := range w.staged {
		_ = os.Remove(s.backup) // If the backup cannot be removed, it does no harm.
	}
	return nil
}

func (w *writer) putBack(n int) error {
	var failed []error
	for i := range w.staged[:n] {
		s := &w.staged[i]
		var err error
		if s.backup == "" {
			err = os.Remove(s.change.Path)
		} else {
			err = os.Rename(s.backup, s.change.Path)
		}
		if err != nil {
			failed = append(failed, fmt.Errorf("%s: cannot be restored: %w; its text is in %s",
				s.change.Path, cause(err), s.backup))
			s.backup = ""
		}
	}
	w.discard()
	return errors.Join(failed...)
}

// discard() removes the temporary files and the folders that were created.
func (w *writer) discard() {
	for _, s := range w.staged {
		for _, name := range []string{s.text, s.backup} {
			if name != "" {
				_ = os.Remove(name) // The file may have been moved into place already.
			}
		}
	}
	for _, dir := range w.made {
		_ = os.Remove(dir) // os.Remove fails for a folder that is not empty.
	}
}
