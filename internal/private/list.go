package private

import (
	"os"
	"slices"
	"strings"

	"guardrails/internal/document"
)

// List returns the file names that start with a prefix, in alphabetical order.
func (d *Dir) List(prefix string) ([]string, error) {
	f, err := os.Open(d.path)
	if err != nil {
		return nil, failed("cannot be listed", d.path, "", err)
	}
	defer ignoreClose(f)
	names, err := f.Readdirnames(-1)
	if err != nil {
		return nil, failed("cannot be listed", d.path, "", err)
	}
	names = slices.DeleteFunc(names, func(name string) bool { return !strings.HasPrefix(name, prefix) || !isPlainName(name) })
	document.SortTexts(names)
	return names, nil
}
