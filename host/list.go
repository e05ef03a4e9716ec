package host

import (
	"errors"
	"io"
	"os"

	"guardrails/decide"
)

// list() returns at most the given number of entries of a folder. It also reports whether the folder has no other
// entries. A folder that does not exist has no entries.
func list(dir string, most int) ([]decide.Entry, bool) {
	f, err := os.OpenFile(dir, os.O_RDONLY|openFlags, 0)
	if err != nil {
		return nil, os.IsNotExist(err)
	}
	defer func() { _ = f.Close() }()
	found, err := f.ReadDir(most + 1)
	if err != nil && len(found) == 0 {
		// ReadDir returns io.EOF at the end of the folder, so the list is complete.
		return nil, errors.Is(err, io.EOF)
	}
	var out []decide.Entry
	for _, entry := range found[:min(len(found), most)] {
		out = append(out, decide.Entry{Name: entry.Name(), Folder: entry.IsDir(), Link: entry.Type()&os.ModeSymlink != 0})
	}
	return out, len(found) <= most
}
