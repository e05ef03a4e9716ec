package private

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"strconv"
	"time"
)

// Write replaces the whole content of a file. Readers see the old content or the new content, and nothing in between.
// Write does not force the data to the disk, because the product can fetch again what a power failure loses.
func (d *Dir) Write(name string, data []byte) error {
	if !isPlainName(name) {
		return failed("cannot be written", d.Path(name), "", ErrName)
	}
	draft, err := d.draft(data)
	if err != nil {
		return err
	}
	return d.put(draft, name)
}

// WriteWith is like Write, but for content that is too large for the memory: the function write() writes it part by
// part.
func (d *Dir) WriteWith(name string, write func(io.Writer) error) error {
	if !isPlainName(name) {
		return failed("cannot be written", d.Path(name), "", ErrName)
	}
	f, draft, err := d.newDraft()
	if err != nil {
		return err
	}
	if err = errors.Join(write(f), f.Close()); err != nil {
		d.discard(draft)
		return failed("cannot be written", d.Path(name), "", err)
	}
	return d.put(draft, name)
}

// put renames a draft to its final name. If that fails, it removes the draft.
func (d *Dir) put(draft, name string) error {
	err := os.Rename(d.Path(draft), d.Path(name))
	if err == nil {
		return nil
	}
	if link, ok := errors.AsType[*os.LinkError](err); ok {
		err = link.Err
	}
	d.discard(draft)
	return failed("cannot be replaced", d.Path(name), "", err)
}

// Create writes a new file that no process reads yet, for example because its name is announced only later. It takes
// half the time of Write. If the process is killed, the file may have only a part of the content.
func (d *Dir) Create(name string, data []byte) error {
	f, _, err := d.open(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, "cannot be written")
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	if err = errors.Join(err, f.Close()); err != nil {
		d.discard(name)
		return failed("cannot be written", d.Path(name), "", err)
	}
	return nil
}

// DraftPrefix is the beginning of the names of files that Write has not moved into place yet. No other names begin with
// it, except for that of the lock on Windows.
const DraftPrefix = "guardrails.draft-"

// draft writes data to a new file and returns its name. If it fails, it removes the file.
func (d *Dir) draft(data []byte) (string, error) {
	f, name, err := d.newDraft()
	if err != nil {
		return "", err
	}
	_, err = f.Write(data)
	if err = errors.Join(err, f.Close()); err == nil {
		return name, nil
	}
	d.discard(name)
	return "", failed("cannot be written", d.Path(name), "", err)
}

// discard removes a draft. It ignores an error, because its caller already returns one.
func (d *Dir) discard(draft string) { _ = unlink(d.Path(draft)) }

// newDraft creates a file with a unique name. The process id alone is not unique: two containers that share the folder
// can have processes with the same id.
func (d *Dir) newDraft() (*File, string, error) {
	unique := DraftPrefix + strconv.Itoa(os.Getpid()) + "-" + strconv.FormatInt(time.Now().UnixNano(), 36)
	for try := 0; ; try++ {
		name := unique + "-" + strconv.Itoa(try)
		f, _, err := d.open(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, "cannot be written")
		if try < 10 && errors.Is(err, fs.ErrExist) {
			continue
		}
		return f, name, err
	}
}

// usualLine is large enough for most lines. Buffers of the same size share a page of memory.
const usualLine = 1024

// Append adds lines to a file. It creates the file if it is missing. One call writes all lines, with a line end
// before and after each line. So if the disk has room for only a part of a line, the lines before and after that line
// stay intact. Readers skip empty lines.
func (d *Dir) Append(name string, lines ...[]byte) error {
	size := 0
	for _, line := range lines {
		if bytes.IndexByte(line, '\n') >= 0 {
			return failed("cannot be written", d.Path(name), "", ErrLine)
		}
		size += len(line) + 2
	}
	f, _, err := d.open(name, os.O_WRONLY|os.O_APPEND|os.O_CREATE, "cannot be written")
	if err != nil {
		return err
	}
	record := make([]byte, 0, max(usualLine, size))
	for _, line := range lines {
		record = append(append(append(record, '\n'), line...), '\n')
	}
	_, err = f.Write(record)
	if err = errors.Join(err, f.Close()); err != nil {
		return failed("cannot be written", d.Path(name), "", err)
	}
	return nil
}

// Touch sets a file's time to now. It creates the file if it is missing. Seen returns this time.
func (d *Dir) Touch(name string) error {
	_, err := d.TouchFirst(name)
	return err
}

// TouchFirst does the same as Touch, and reports whether the file was missing. On systems on which setNow always fails,
// it always returns true.
func (d *Dir) TouchFirst(name string) (first bool, err error) {
	path := d.Path(name)
	if !isPlainName(name) {
		return false, failed("cannot be touched", path, "", ErrName)
	}
	err = setNow(path)
	if err == nil {
		return false, nil
	}
	if !errors.Is(err, fs.ErrNotExist) {
		return false, failed("cannot be touched", path, "", err)
	}
	return true, d.touchByWriting(name)
}

// touchByWriting writes the first byte of a file, which also sets the file's time. It creates the file if it is
// missing.
func (d *Dir) touchByWriting(name string) error {
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
