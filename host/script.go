package host

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"

	"guardrails/hooks/reach"
)

// readScript reads a script that a call runs, if the script is a regular file of at most limit bytes. For a larger
// file, it returns the first bytes and false. It does not follow links, because the path has been resolved already.
// It does not wait for a pipe.
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
	// If there is no such error, the file is larger than limit, or has grown since Stat.
	return text[:n], errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF)
}

// headSize is how many bytes of a file are read if the file is too large. They show whether the file is a binary
// program.
const headSize = 16

// maxNames is the largest number of entries in a folder that are searched for scripts.
const maxNames = 1024

// scriptsIn returns the names of the files and folders in a folder.
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

// committed reports whether a script has the same text in the last commit of the project. It reads the text from the
// commit, because an agent can change the Git index.
func committed(root, path, text string) bool {
	if other := worktrees(root)(path); other != "" {
		root = other
	}
	rel, err := filepath.Rel(root, path)
	if err != nil || rel == ".." || strings.HasPrefix(rel, ".."+string(filepath.Separator)) || filepath.IsAbs(rel) {
		return false
	}
	git := program("git")
	if git == "" {
		return false
	}
	out, err := reach.Output(git, []string{
		"-C", root, "--no-replace-objects", "-c", "protocol.allow=never", "-c", "core.fsmonitor=false",
		"cat-file", "blob", "HEAD:./" + filepath.ToSlash(rel),
	}, pendingTimeout)
	return err == nil && string(out) == text
}
