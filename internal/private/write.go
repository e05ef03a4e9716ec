package private

import (
	"errors"
	"io/fs"
	"os"
	"strconv"
	"time"
)

// Write replaces a file as a whole: readers see the old content or the new. It does not force the data to the disk, because
// the product can fetch again what a power failure loses.
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

// put gives a draft its final name. It removes a draft that cannot get the name.
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

// Create writes a new file that no process looks for yet, such as one whose name is about to be announced. It needs half the
// time of Write. A writer that is killed leaves a file with a part of the content.
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

// DraftPrefix starts the names of files that Write has not put in place yet. No other file has such a name.
const DraftPrefix = "guardrails.draft-"

// draft writes a new file and returns its name. It removes a file that it could not write completely.
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

// discard removes a draft. The caller already has an error to report, so another one adds nothing.
func (d *Dir) discard(draft string) { _ = unlink(d.Path(draft)) }

// newDraft creates a file with a name that is new. Two containers that share the folder can have equal process ids.
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

// usualLine is the size that fits most lines. Buffers of one size share a page of memory.
const usualLine = 1024

// Append adds a line to a file and creates the file when it is missing. It writes a line end on both sides in one call, so a
// line that fits on the disk only in part damages no other. Readers skip empty lines.
func (d *Dir) Append(name string, line []byte) error {
	for _, c := range line {
		if c == '\n' {
			return failed("cannot be written", d.Path(name), "", ErrLine)
		}
	}
	f, _, err := d.open(name, os.O_WRONLY|os.O_APPEND|os.O_CREATE, "cannot be written")
	if err != nil {
		return err
	}
	record := make([]byte, 0, max(usualLine, len(line)+2))
	record = append(append(append(record, '\n'), line...), '\n')
	_, err = f.Write(record)
	if err = errors.Join(err, f.Close()); err != nil {
		return failed("cannot be written", d.Path(name), "", err)
	}
	return nil
}

// Touch sets a file's time to now and creates the file when it is missing. Seen reads that time.
func (d *Dir) Touch(name string) error {
	path := d.Path(name)
	if !isPlainName(name) {
		return failed("cannot be touched", path, "", ErrName)
	}
	err := setNow(path)
	if err == nil {
		return nil
	}
	if !errors.Is(err, fs.ErrNotExist) {
		return failed("cannot be touched", path, "", err)
	}
	return d.touchByWriting(name)
}

// touchByWriting creates a file, or sets the time of an existing one by writing its first byte again.
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
