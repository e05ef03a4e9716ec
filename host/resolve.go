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

// resolver caches paths without links, because the paths of a call are often in the same folders.
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

// below reports whether a path is equal to a folder or inside it.
func below(path, folder string) bool {
	rest, ok := strings.CutPrefix(path, folder)
	return ok && (rest == "" || rest[0] == filepath.Separator)
}

// noLinks reports whether a path has no link after the given offset. Parts that do not exist are not links.
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
		// Resolve handles the case that the path ends with something other than a folder or a regular file.
		if !info.IsDir() && (end < len(path) || !info.Mode().IsRegular()) {
			return false
		}
		from = end
	}
	return true
}
