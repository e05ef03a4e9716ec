package host

import (
	"os"
	"path/filepath"
	"strings"
)

// Resolve follows symbolic links in the part of an absolute path that exists and keeps the rest.
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

// resolver remembers which paths contain no links, because the paths of one call are in the same few folders.
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

// below reports whether a path is a folder or is in it.
func below(path, folder string) bool {
	rest, ok := strings.CutPrefix(path, folder)
	return ok && (rest == "" || rest[0] == filepath.Separator)
}

// noLinks reports whether no part of a path after an offset is a link. A part that does not exist is no link.
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
		// Resolve handles everything that is neither a folder nor a regular file at the end of the path.
		if !info.IsDir() && (end < len(path) || !info.Mode().IsRegular()) {
			return false
		}
		from = end
	}
	return true
}
