package private

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"runtime"
	"strconv"
	"time"
)

// Write replaces the whole content of a file. Readers see the old content or the new content, and nothing in between.
// Write does not force the data to the disk, because the product can get lost data again after a power failure.
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

// WriteSynced is like Write, but when it returns, the new content is on the disk. So the content survives a power
// failure. If a file that is written later survives a power failure, this content has survived, too.
func (d *Dir) WriteSynced(name string, data []byte) error {
	if !isPlainName(name) {
		return failed("cannot be written", d.Path(name), "", ErrName)
	}
	draft, err := d.syncedDraft(name, data)
	if err != nil {
		return err
	}
	if err := d.put(draft, name); err != nil {
		return err
	}
	return d.syncNames()
}

// syncedDraft writes a draft of a file and waits until its content is on the disk.
func (d *Dir) syncedDraft(name string, data []byte) (draft string, err error) {
	if draft, err = d.draft(data); err != nil {
		return "", err
	}
	if err := syncFile(d.Path(draft), os.O_WRONLY); err != nil {
		d.discard(draft)
		return "", failed("cannot be written", d.Path(name), "", err)
	}
	return draft, nil
}

// Sync waits until a file and its name in the folder are on the disk.
func (d *Dir) Sync(name string) error {
	if !isPlainName(name) {
		return failed("cannot be written", d.Path(name), "", ErrName)
	}
	if err := syncFile(d.Path(name), os.O_WRONLY); err != nil {
		return failed("cannot be written", d.Path(name), "", err)
	}
	return d.syncNames()
}

// syncNames waits until the names of the files in the folder are on the disk.
func (d *Dir) syncNames() error {
	if runtime.GOOS == "windows" {
		return nil // Windows cannot sync a folder
	}
	if err := syncFile(d.path, os.O_RDONLY); err != nil {
		return failed("cannot be written", d.path, "", err)
	}
	return nil
}

func syncFile(path string, mode int) error {
	f, err := os.OpenFile(path, mode, 0)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}

// draftWith writes a draft of a file part by part.
func (d *Dir) draftWith(name string, write func(io.Writer) error) (draft string, err error) {
	if !isPlainName(name) {
		return "", failed("cannot be written", d.Path(name), "", ErrName)
	}
	f, draft, err := d.newDraft()
	if err != nil {
		return "", err
	}
	if err = errors.Join(write(f), f.Close()); err != nil {
		d.discard(draft)
		return "", failed("cannot be written", d.Path(name), "", err)
	}
	return draft, nil
}

// WriteUnless is like Write, but for content that is too large for the memory, and for a file that several programs may
// replace at the same time. The function write() writes the content part by part. When the content is complete,
// WriteUnless locks the folder and calls keeps(). If keeps() returns true, the file stays as it is.
func (d *Dir) WriteUnless(name string, keeps func() bool, write func(io.Writer) error) error {
	draft, err := d.draftWith(name, write)
	if err != nil {
		return err
	}
	err = d.WithLock(func() error {
		if keeps() {
			return nil
		}
		return d.put(draft, name)
	})
	d.discard(draft) // if the draft was not moved into place
	return err
}

// Shorten replaces the content of a file to which other programs add lines. shorten() gets the present content and
// returns the new content, or nil to change nothing. Shorten locks the folder only after shorten() has returned.
// Shorten keeps the lines that other programs have added in the meantime. Those programs must hold the lock while they
// add lines. If another program has replaced the file in the meantime, Shorten changes nothing.
func (d *Dir) Shorten(name string, limit int64, shorten func(text []byte) []byte) error {
	text, err := d.Read(name, limit)
	if err != nil {
		return err
	}
	short := shorten(text)
	if short == nil {
		return nil
	}
	draft, err := d.syncedDraft(name, short)
	if err != nil {
		return err
	}
	err = d.WithLock(func() error {
		now, err := d.Read(name, limit)
		if added, same := bytes.CutPrefix(now, text); err == nil && same {
			if err = d.extend(draft, added); err == nil {
				err = d.put(draft, name)
			}
		}
		return err
	})
	d.discard(draft) // if the draft was not moved into place
	return errors.Join(err, d.syncNames())
}

// extend() writes data at the end of a draft.
func (d *Dir) extend(draft string, data []byte) error {
	f, _, err := d.open(draft, os.O_WRONLY|os.O_APPEND, "cannot be written")
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	return errors.Join(err, f.Close())
}

// WithLock calls the function f while this program has the lock of the folder. The function f must be quick, because
// other programs wait at most one second for the lock.
func (d *Dir) WithLock(f func() error) error {
	unlock, err := d.lock()
	if err != nil {
		return err
	}
	defer unlock()
	return f()
}

// put() renames a draft to its final name. If that fails, it removes the draft.
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

// Create writes a new file that no process reads yet, for example because its name is announced only later. Create
// takes half the time of Write. If the process is killed, the file may have only a part of the content.
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

// DraftPrefix is the beginning of the names of files that Write has not moved into place yet. The only other file whose
// name begins with DraftPrefix is the lock on Windows.
const DraftPrefix = "guardrails.draft-"

// draft() writes data to a new file and returns its name. If it fails, it removes the file.
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

// discard() removes a draft. It ignores errors, because its caller already returns an error.
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

// Touch sets a file's time to the current time. It creates the file if it is missing. Seen returns this time.
func (d *Dir) Touch(name string) error {
	_, err := d.TouchFirst(name)
	return err
}

// TouchFirst does the same as Touch, and reports whether the file was missing. If setNow always fails on a system,
// TouchFirst always returns true.
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
