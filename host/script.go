package host

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"

	"guardrails/hooks/reach"
)

// readScript reads a script that a call runs: a regular file that is not larger than the limit. A link is not followed,
// because those in the path have been, and nothing waits for the other end of a pipe.
func readScript(path string, limit int64) ([]byte, bool) {
	f, err := os.OpenFile(path, os.O_RDONLY|plainly, 0)
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
	// A file that has grown meanwhile is not what was looked at.
	return text[:n], errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF)
}

// committed reports whether a script stands in the last commit of the project as it was read. Git is asked for the text
// itself: what its index says of a file can be changed without the file.
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
