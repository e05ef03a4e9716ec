package host

import (
	"os"
	"path/filepath"
	"strings"
)

// Resolve follows symbolic links in the existing part of an absolute path. The rest of the path stays unchanged.
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

// resolver remembers paths that have no links, because the paths of a call are often in the same folders.
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

// below reports whether a path is a folder itself or inside it.
func below(path, folder string) bool {
	rest, ok := strings.CutPrefix(path, folder)
	return ok && (rest == "" || rest[0] == filepath.Separator)
}

// noLinks reports whether no part of a path after the given index is a link. A part that does not exist is not a link.
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
		// This may be a link. If the path ends with anything other than a folder or a regular file, Resolve() decides.
		if !info.IsDir() && (end < len(path) || !info.Mode().IsRegular()) {
			return false
		}
		from = end
	}
	return true
}
