package session

import (
	"errors"
	"io/fs"
	"os"
	"strconv"
	"time"
)

// Write puts a file in place as a whole: who reads it meanwhile finds the old one or the new one. It is not forced onto
// the disk, because what is lost with the power is asked for again.
func (d *Dir) Write(name string, data []byte) error {
	if !plainName(name) {
		return failed("cannot be written", d.Path(name), "", ErrName)
	}
	draft, err := d.draft(data)
	if err != nil {
		return err
	}
	if err := os.Rename(d.Path(draft), d.Path(name)); err != nil {
		if link, ok := errors.AsType[*os.LinkError](err); ok {
			err = link.Err
		}
		d.discard(draft)
		return failed("cannot be replaced", d.Path(name), "", err)
	}
	return nil
}

// Create makes a file that nobody looks for yet, such as one whose name is only about to be told. It is written in its
// place, which costs half of what Write does; a writer that is killed leaves a file that its reader does not understand.
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

// draftPrefix is what the names of files begin with that are not in place yet; no session's file begins so.
const draftPrefix = "guardrails.draft-"

// draft writes a new file beside the others and returns its name. What cannot be written whole is removed.
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

// discard removes a draft; one that stays is left to Sweep, and why it stays has been said by what went wrong before.
func (d *Dir) discard(draft string) { _ = unlink(d.Path(draft)) }

// newDraft makes a file that nobody else has: process ids can be alike in two containers that share the folder.
func (d *Dir) newDraft() (*File, string, error) {
	unique := draftPrefix + strconv.Itoa(os.Getpid()) + "-" + strconv.FormatInt(time.Now().UnixNano(), 36)
	for try := 0; ; try++ {
		name := unique + "-" + strconv.Itoa(try)
		f, _, err := d.open(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, "cannot be written")
		if try < 10 && errors.Is(err, fs.ErrExist) {
			continue
		}
		return f, name, err
	}
}

// usual is how long a line is at most as a rule: buffers of one size share a page of memory.
const usual = 1024

// Append adds a line to a file, which is made when it is missing. Line ends stand on both sides and all is written at
// once, so that a line of which only a part fitted on the disk harms no other. Readers skip lines that are empty.
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
	record := make([]byte, 0, max(usual, len(line)+2))
	record = append(append(append(record, '\n'), line...), '\n')
	_, err = f.Write(record)
	if err = errors.Join(err, f.Close()); err != nil {
		return failed("cannot be written", d.Path(name), "", err)
	}
	return nil
}
