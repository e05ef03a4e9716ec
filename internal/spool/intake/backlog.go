package intake

import (
	"errors"
	"slices"

	"guardrails/internal/spool"
)

// Backlog describes the records in the spool that are not in any store yet.
type Backlog struct {
	// The fields "Lines" and "Bytes" are the number and the total size of the records that are not in any store yet. The
	// field "Since" is the day of the first of these records.
	Lines int
	Bytes int64
	Since string
	// The field "Damaged" counts the damaged lines that were moved to files of their own.
	Damaged int
	// sizeOnly is set if only Bytes is needed.
	sizeOnly bool
}

// Waiting returns the backlog of some folders of the spool. It changes nothing in these folders.
func Waiting(dirs []string) (Backlog, error) {
	var all Backlog
	var problems []error
	for _, path := range dirs {
		problems = append(problems, all.folder(path))
	}
	return all, errors.Join(problems...)
}

// WaitingBytes returns the size of the backlog of some folders in bytes. It is quicker than Waiting, because it
// does not read the records.
func WaitingBytes(dirs []string) (int64, error) {
	all := Backlog{sizeOnly: true}
	var problems []error
	for _, path := range dirs {
		problems = append(problems, all.folder(path))
	}
	return all.Bytes, errors.Join(problems...)
}

func (b *Backlog) folder(path string) error {
	dir, err := existing(path)
	if dir == nil || err != nil {
		return err
	}
	damaged, err := Damaged(path)
	if err != nil {
		return err
	}
	b.Damaged += damaged
	names, _, err := sizes(dir)
	if err != nil {
		return err
	}
	stores, err := readCursors(dir)
	if err != nil {
		return err
	}
	stores = slices.DeleteFunc(stores, func(c *cursor) bool { return c.Left })
	for _, name := range names {
		f, err := openFile(dir, name)
		if err != nil {
			return err
		}
		err = errors.Join(b.file(f, stores), f.Close())
		if err != nil {
			return err
		}
	}
	return nil
}

// file() counts the lines in a file. It begins with the first line that at least one store does not have yet.
func (b *Backlog) file(f *file, stores []*cursor) error {
	at, err := firstPosition(stores, f)
	if err != nil {
		return err
	}
	if b.sizeOnly {
		b.Bytes += max(0, f.size-at)
		return nil
	}
	for at < f.size {
		lines, next, err := f.lines(at, true)
		if err != nil || next == at {
			return err
		}
		if len(lines) > 0 && (b.Since == "" || f.name < b.Since+spool.Extension) {
			b.Since = f.name[:len(f.name)-len(spool.Extension)]
		}
		b.Lines, b.Bytes, at = b.Lines+len(lines), b.Bytes+next-at, next
	}
	return nil
}
