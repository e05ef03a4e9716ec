package host

import (
	"os"
	"path/filepath"
	"strings"
)

// Resolve follows symbolic links in the part of an absolute path that exists and keeps the rest as it is.
func Resolve(path string) string {
	rest := ""
	for at := path; ; at = filepath.Dir(at) {
		if real, err := filepath.EvalSymlinks(at); err == nil {
			return filepath.Join(real, rest)
		}
		if at == filepath.Dir(at) {
			return path
		}
		rest = filepath.Join(filepath.Base(at), rest)
	}
}

// resolver remembers which paths have no links in them: those of one call lie in the same few folders.
type resolver struct{ real []string }

func (r *resolver) resolve(path string) string {
	if filepath.Clean(path) == path {
		for _, known := range r.real {
			if below(known, path) || below(path, known) && noLinks(path, len(known)) {
				return path
			}
		}
	}
	out := Resolve(path)
	if out == path {
		r.real = append(r.real, path)
	}
	return out
}

// below reports whether a path is a folder or lies in it.
func below(path, folder string) bool {
	rest, ok := strings.CutPrefix(path, folder)
	return ok && (rest == "" || rest[0] == filepath.Separator)
}

// noLinks reports whether the parts of a path from a place on are no links. What is not there is none.
func noLinks(path string, from int) bool {
	for from < len(path) {
		end := strings.IndexByte(path[from+1:], filepath.Separator) + from + 1
		if end == from {
			end = len(path)
		}
		info, err := os.Lstat(path[:end])
		if err != nil {
			return os.IsNotExist(err)
		}
		// A folder in the way that is a file, and whatever else is not plain, is left to the careful way.
		if !info.IsDir() && (end < len(path) || !info.Mode().IsRegular()) {
			return false
		}
		from = end
	}
	return true
}
