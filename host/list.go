package host

import (
	"errors"
	"io"
	"os"

	"guardrails/decide"
)

// list returns at most most entries of a folder, and whether the folder has no more. A folder that does not exist has
// no entries.
func list(dir string, most int) ([]decide.Entry, bool) {
	f, err := os.OpenFile(dir, os.O_RDONLY|openFlags, 0)
	if err != nil {
		return nil, os.IsNotExist(err)
	}
	defer func() { _ = f.Close() }()
	found, err := f.ReadDir(most + 1)
	if err != nil && len(found) == 0 {
		// At the end of the folder, ReadDir returns io.EOF.
		return nil, errors.Is(err, io.EOF)
	}
	var out []decide.Entry
	for _, entry := range found[:min(len(found), most)] {
		out = append(out, decide.Entry{Name: entry.Name(), Folder: entry.IsDir(), Link: entry.Type()&os.ModeSymlink != 0})
	}
	return out, len(found) <= most
}
