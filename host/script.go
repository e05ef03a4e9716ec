package host

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"

	"guardrails/hooks/reach"
)

// readScript reads a script that a call runs, if the script is a regular file whose size is at most the parameter
// "limit". For a larger file, it returns the first bytes and false. readScript does not follow links, because the path
// has already been resolved. It does not wait if the path is a pipe.
func readScript(path string, limit int64) ([]byte, bool) {
	f, err := os.OpenFile(path, os.O_RDONLY|openFlags, 0)
	if err != nil {
		return nil, false
	}
	defer func() { _ = f.Close() }()
	info, err := f.Stat()
	if err != nil || !info.Mode().IsRegular() {
		return nil, false
	}
	size := info.Size() + 1
	if info.Size() > limit {
		size = headSize
	}
	text := make([]byte, size)
	n, err := io.ReadFull(f, text)
	// If ReadFull returns one of these errors, text holds the whole file. Otherwise the file is larger than the
	// parameter "limit" allows, it has grown since Stat(), or it cannot be read.
	return text[:n], errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF)
}

// headSize is the number of bytes that are read from a file that is too large. These bytes show whether the file is a
// binary program.
const headSize = 16

const maxNames = 1024

func (m *Machine) scriptsIn(folder string) (files, folders []string) {
	if m.List == nil {
		return nil, nil
	}
	entries, _ := m.List(folder, maxNames)
	for _, e := range entries {
		if e.Folder {
			folders = append(folders, e.Name)
		} else {
			files = append(files, e.Name)
		}
	}
	return files, folders
}

// committed() reports whether the last commit of the project contains the script at a path, with the given text. It
// does not read the Git index, because an agent can change the index.
func committed(root, path, text string) bool {
	out, ok := gitAbout(root, path, func(rel string) []string { return []string{"cat-file", "blob", "HEAD:" + rel} })
	return ok && string(out) == text
}

// Base returns a text about the last commit of the project: its id, and the id and the name of the branch that it is
// compared with, the upstream branch. Without a commit, the text is empty.
func Base(root string) string {
	for _, names := range [][]string{{"HEAD", "@{upstream}", "--symbolic-full-name", "@{upstream}"}, {"HEAD"}} {
		out, ok := gitAbout(root, root, func(string) []string { return append([]string{"rev-parse"}, names...) })
		if ok {
			return strings.Join(strings.Fields(string(out)), " ")
		}
	}
	return ""
}

// FromElsewhere reports whether the last commit has a file as it came from another repository. The parameter "base" is
// what Base returned when the session began. The last commit of that time and its upstream branch must contain every
// commit that changed the file. Other branches do not count, because a program can make them.
func FromElsewhere(root, path, base string) bool {
	known := strings.Fields(base)
	if len(known) == 0 {
		return false
	}
	ends := known[:1]
	if len(known) == 3 && isFetched(root, known[2], known[1]) {
		ends = []string{known[0], known[2]}
	}
	out, ok := gitAbout(root, path, func(rel string) []string {
		return append(append([]string{"rev-list", "--max-count=1", "HEAD", "--not"}, ends...), "--", rel)
	})
	return ok && len(out) == 0
}

// isFetched reports whether only fetches have moved a remote-tracking branch since it was at the given commit. For each
// move, git records the command. A push and "git update-ref" can move such a branch to a commit that was made here. So
// can a fetch, if it names the branch or fetches from this repository.
func isFetched(root, branch, from string) bool {
	out, ok := gitAbout(root, root, func(string) []string { return []string{"reflog", "show", "--format=%H %gs", branch, "--"} })
	if !ok || !strings.HasPrefix(branch, "refs/remotes/") {
		return false
	}
	for line := range strings.Lines(string(out)) {
		id, command, _ := strings.Cut(strings.TrimSpace(line), " ")
		if id == from {
			return true
		}
		if !strings.HasPrefix(command, "fetch") && !strings.HasPrefix(command, "pull") ||
			strings.Contains(command, ":refs/") || strings.Contains(command, " . ") {
			return false
		}
	}
	// The branch had no record of its moves when the session began. Then it must not have moved.
	now, ok := gitAbout(root, root, func(string) []string { return []string{"rev-parse", "--verify", branch} })
	return ok && strings.TrimSpace(string(now)) == from
}

// gitAbout returns the output of a git command about a file of the project. The function "command" gets the path of the
// file relative to the folder in which git runs.
func gitAbout(root, path string, command func(rel string) []string) ([]byte, bool) {
	if other := worktrees(root)(path); other != "" {
		root = other
	}
	rel, git := below(root, path), program("git")
	if rel == outside || git == "" {
		return nil, false
	}
	out, err := reach.Output(git, append([]string{
		"-C", root, "--no-replace-objects", "--literal-pathspecs", "-c", "protocol.allow=never", "-c", "core.fsmonitor=false",
		"-c", "core.commitGraph=false",
	}, command("./"+filepath.ToSlash(rel))...), pendingTimeout)
	return out, err == nil
}

// The constant "outside" is the result of below() for a path outside of the folder.
const outside = ".."

// below() returns a path relative to a folder. Both paths must be absolute and clean. filepath.Rel would add 2 KB to
// the largest hook, because it also handles a path outside of the folder.
func below(folder, path string) string {
	if path == folder {
		return "."
	}
	if rest, ok := strings.CutPrefix(path, strings.TrimSuffix(folder, string(filepath.Separator))+string(filepath.Separator)); ok {
		return rest
	}
	return outside
}
