package session

import (
	"errors"
	"io/fs"
	"os"
)

// Touch leaves a sign that something happened now: the file's time, which Seen reads.
func (d *Dir) Touch(name string) error {
	path := d.Path(name)
	if !plainName(name) {
		return failed("cannot be touched", path, "", ErrName)
	}
	err := setNow(path)
	if err == nil {
		return nil
	}
	if !errors.Is(err, fs.ErrNotExist) {
		return failed("cannot be touched", path, "", err)
	}
	return d.create(name)
}

// create makes the file; in one that is there already the first byte is written again, which sets its time.
func (d *Dir) create(name string) error {
	f, _, err := d.open(name, os.O_WRONLY|os.O_CREATE, "cannot be touched")
	if err != nil {
		return err
	}
	_, err = f.WriteAt([]byte{'\n'}, 0)
	if err = errors.Join(err, f.Close()); err != nil {
		return failed("cannot be touched", d.Path(name), "", err)
	}
	return nil
}
