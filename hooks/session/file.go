package session

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"time"
)

// OpenFile opens a file of the folder for reading, if it is a regular file of ours that nobody else can write or knows by
// another name. A file that is missing is an fs.ErrNotExist.
func (d *Dir) OpenFile(name string) (*File, *Info, error) {
	return d.open(name, os.O_RDONLY, "cannot be read")
}

// open opens a file and looks at what it has got; what says what cannot be done when it fails.
func (d *Dir) open(name string, flags int, what string) (*File, *Info, error) {
	path := d.Path(name)
	if !plainName(name) {
		return nil, nil, failed(what, path, "", ErrName)
	}
	f, err := openPlain(path, flags, 0o600)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil, &Failed{what, path, err, "look at what is there"} // as usual, so nothing more is looked into
	}
	if err != nil {
		if why := oddity(err); why != "" {
			return nil, nil, &Unsafe{path, why, "remove it"}
		}
		return nil, nil, failed(what, path, "", err)
	}
	info, err := f.info()
	if err != nil {
		closed(f)
		return nil, nil, failed(what, path, "", err)
	}
	if why := d.strange(info); why != "" {
		closed(f)
		return nil, nil, &Unsafe{path, why, "remove it"}
	}
	return f, info, nil
}

// strange says why a file is not one that we wrote; it is empty when all is well.
func (d *Dir) strange(info *Info) string {
	if info.kind() != 0 {
		return "is not a regular file"
	}
	if why := info.foreign(d.uid); why != "" {
		return why
	}
	if info.writableByOthers() {
		return "can be written by others"
	}
	if info.linked() {
		return "has a second name somewhere"
	}
	return ""
}

// Read returns the whole of a file; one that is larger than the limit is an ErrTooLarge.
func (d *Dir) Read(name string, limit int64) ([]byte, error) {
	f, info, err := d.OpenFile(name)
	if err != nil {
		return nil, err
	}
	defer closed(f)
	if info.Size() > limit {
		return nil, failed("cannot be read", d.Path(name), "", ErrTooLarge)
	}
	return d.readFrom(f, name, 0, info.Size())
}

// readFrom reads so many bytes from a place on; fewer when the file has become shorter.
func (d *Dir) readFrom(f *File, name string, start, size int64) ([]byte, error) {
	data := make([]byte, size)
	n, err := f.ReadAt(data, start)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, failed("cannot be read", d.Path(name), "", err)
	}
	return data[:n], nil
}

// closed closes a file into which nothing was written, so that an error has nothing to say.
func closed(f interface{ Close() error }) { _ = f.Close() }

// Seen is when a file was last written or touched; false when there is none that is ours.
func (d *Dir) Seen(name string) (time.Time, bool) {
	if !plainName(name) {
		return time.Time{}, false
	}
	info, err := lookAt(d.Path(name))
	if err != nil || d.strange(info) != "" {
		return time.Time{}, false
	}
	return info.Touched(), true
}

// Remove removes a file, whatever it is, and says whether it was there. Of several that remove it at once one is told so:
// what may be used once is used by removing it. Who needs to know what was in it reads it before.
func (d *Dir) Remove(name string) (bool, error) {
	path := d.Path(name)
	if !plainName(name) {
		return false, failed("cannot be removed", path, "", ErrName)
	}
	err := unlink(path)
	switch {
	case err == nil:
		return true, nil
	case errors.Is(err, fs.ErrNotExist):
		return false, nil
	}
	return false, failed("cannot be removed", path, "", err)
}
