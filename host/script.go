package host

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"

	"guardrails/hooks/reach"
)

// readScript reads a script that a call runs, if it is a regular file of at most limit bytes. It follows no link,
// because the links in the path have already been followed, and it does not wait for a pipe.
func readScript(path string, limit int64) ([]byte, bool) {
	f, err := os.OpenFile(path, os.O_RDONLY|openFlags, 0)
	if err != nil {
		return nil, false
	}
	defer func() { _ = f.Close() }()
	info, err := f.Stat()
	if err != nil || !info.Mode().IsRegular() || info.Size() > limit {
		return nil, false
	}
	text := make([]byte, min(info.Size(), limit)+1)
	n, err := io.ReadFull(f, text)
	// Otherwise the file has grown since Stat.
	return text[:n], errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF)
}

// committed reports whether the text of a script is the one in the last commit of the project. It asks git for the
// text, because the index of git can be changed without the file.
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
