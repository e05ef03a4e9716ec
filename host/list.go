package host

import (
	"errors"
	"io"
	"os"

	"guardrails/decide"
)

// list says what a folder holds, and whether that is all of it; a folder that is not there holds nothing.
func list(dir string, most int) ([]decide.Entry, bool) {
	f, err := os.OpenFile(dir, os.O_RDONLY|plainly, 0)
	if err != nil {
		return nil, os.IsNotExist(err)
	}
	defer func() { _ = f.Close() }()
	found, err := f.ReadDir(most + 1)
	if err != nil && len(found) == 0 {
		// The end of the folder is an error too.
		return nil, errors.Is(err, io.EOF)
	}
	var out []decide.Entry
	for _, entry := range found[:min(len(found), most)] {
		out = append(out, decide.Entry{Name: entry.Name(), Folder: entry.IsDir(), Link: entry.Type()&os.ModeSymlink != 0})
	}
	return out, len(found) <= most
}
