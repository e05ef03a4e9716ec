package host

import (
	"os"
	"path/filepath"
	"strings"
)

// maxLinks is the largest number of links to missing files that are followed in one path.
const maxLinks = 40

// Resolve follows symbolic links in the existing part of an absolute path. The rest of the path stays unchanged.
// Resolve also follows a link to a missing file, because a write through the link creates that file.
func Resolve(path string) string {
	rest, links := "", 0
	for at := path; ; {
		if real, err := filepath.EvalSymlinks(at); err == nil {
			return filepath.Join(real, rest)
		}
		if to, err := os.Readlink(at); err == nil && links < maxLinks {
			links++
			at = follow(at, to)
			continue
		}
		folder := filepath.Dir(at)
		if at == folder || !filepath.IsAbs(folder) {
			return path
		}
		above := existing(folder)
		rest = filepath.Join(folder[len(above):], filepath.Base(at), rest)
		at = above
	}
}

// existing() returns the longest beginning of a path that exists. This beginning may end with a link to a missing file.
// The search starts at the root, because a path can have thousands of parts that do not exist.
func existing(path string) string {
	end := len(filepath.VolumeName(path)) + 1
	for end < len(path) {
		next := strings.IndexByte(path[end+1:], filepath.Separator) + end + 1
		if next == end {
			next = len(path)
		}
		if _, err := os.Lstat(path[:next]); err != nil {
			break
		}
		end = next
	}
	return path[:min(end, len(path))]
}

// follow() returns the path that a link leads to. If the folder of this path exists, follow() also resolves the links
// in the path of the folder.
func follow(link, to string) string {
	if !filepath.IsAbs(to) {
		to = filepath.Dir(link) + string(filepath.Separator) + to
	}
	folder, name := filepath.Split(to)
	if real, err := filepath.EvalSymlinks(folder); err == nil {
		return filepath.Join(real, name)
	}
	return to
}

// The type "resolver" remembers some paths that have no links, because the paths of a call are often in the same
// folders.
type resolver struct{ real []string }

const maxRemembered = 64

func (r *resolver) resolve(path string) string {
	if filepath.Clean(path) == path {
		for _, known := range r.real {
			if isBelow(known, path) || isBelow(path, known) && noLinks(path, len(known)) {
				return path
			}
		}
	}
	out := Resolve(path)
	if out == path && len(r.real) < maxRemembered {
		r.real = append(r.real, path)
	}
	return out
}

// isBelow reports whether a path is the given folder or is inside it.
func isBelow(path, folder string) bool {
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
		// A folder is not a link, and a regular file at the end of the path is not a link either. Anything else may
		// be a link.
		if !info.IsDir() && (end < len(path) || !info.Mode().IsRegular()) {
			return false
		}
		from = end
	}
	return true
}
