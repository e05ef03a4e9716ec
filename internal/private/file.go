package private

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"time"
)

// OpenFile opens a file for reading. The file must be a regular file of this user with only one name, and nobody
// else may be able to write to it. If the file is missing, the error wraps fs.ErrNotExist.
func (d *Dir) OpenFile(name string) (*File, *Info, error) {
	return d.open(name, os.O_RDONLY, "cannot be read")
}

// open() opens a file and checks it. Error messages contain the text in the argument "what", for example "cannot be
// read".
func (d *Dir) open(name string, flags int, what string) (*File, *Info, error) {
	path := d.Path(name)
	if !isPlainName(name) {
		return nil, nil, failed(what, path, "", ErrName)
	}
	f, err := openPlain(path, flags, 0o600)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil, &Failed{what, path, err, "check the path"} // this is common and needs no special remedy
	}
	if err != nil {
		if problem := describeOpenError(err); problem != "" {
			return nil, nil, &Unsafe{path, problem, "remove it"}
		}
		return nil, nil, failed(what, path, "", err)
	}
	info, err := f.info()
	if err != nil {
		ignoreClose(f)
		return nil, nil, failed(what, path, "", err)
	}
	if problem := d.problem(info); problem != "" {
		ignoreClose(f)
		return nil, nil, &Unsafe{path, problem, "remove it"}
	}
	return f, info, nil
}

// problem() says why this program cannot have written a file, or why other users can change it. It returns "" if there
// is no such reason.
func (d *Dir) problem(info *Info) string {
	if info.kind() != 0 {
		return "is not a regular file"
	}
	if problem := info.ownerProblem(d.uid); problem != "" {
		return problem
	}
	if info.writableByOthers() {
		return "can be written by others"
	}
	if info.linked() {
		return "has a second name (a hard link)"
	}
	return ""
}

// Read returns the content of a file. If the file is larger than the limit, the error wraps ErrTooLarge.
func (d *Dir) Read(name string, limit int64) ([]byte, error) {
	f, info, err := d.OpenFile(name)
	if err != nil {
		return nil, err
	}
	defer ignoreClose(f)
	if info.Size() > limit {
		return nil, failed("cannot be read", d.Path(name), "", ErrTooLarge)
	}
	return d.ReadPart(f, name, 0, info.Size())
}

// ReadPart returns a part of an open file. The parameter "size" is the number of bytes of the part, and the parameter
// "offset" is the position at which it begins. ReadPart returns fewer bytes if the file has become shorter.
func (d *Dir) ReadPart(f *File, name string, offset, size int64) ([]byte, error) {
	data := make([]byte, size)
	n, err := f.ReadAt(data, offset)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, failed("cannot be read", d.Path(name), "", err)
	}
	return data[:n], nil
}

// ignoreClose closes a file that was only read. The error of Close does not matter then.
func ignoreClose(f interface{ Close() error }) { _ = f.Close() }

// Seen returns the time at which a file was last written, or at which its time was last set with Touch. It returns
// false if the file does not exist or is not safe.
func (d *Dir) Seen(name string) (time.Time, bool) {
	if !isPlainName(name) {
		return time.Time{}, false
	}
	info, err := lookAt(d.Path(name))
	if err != nil || d.problem(info) != "" {
		return time.Time{}, false
	}
	return info.Touched(), true
}

// Remove removes a file of any kind and reports whether the file existed. If several processes remove a file at the
// same time, Remove returns true to only one of them. Callers rely on this. For example, only the process that has
// removed the file of a denied call may allow this call once.
func (d *Dir) Remove(name string) (bool, error) {
	path := d.Path(name)
	if !isPlainName(name) {
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
