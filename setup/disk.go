package setup

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"guardrails/internal/document"
)

// ReadFile reads a settings file up to the size of the largest document. If the file does not exist, the error is
// fs.ErrNotExist.
func ReadFile(path string) ([]byte, error) {
	info, err := os.Stat(path)
	if err == nil && !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s: is not a regular file; move it away", path)
	}
	if err != nil {
		return nil, unreadable(path, err)
	}
	file, err := os.Open(path)
	if err != nil {
		return nil, unreadable(path, err)
	}
	defer func() { _ = file.Close() }() // an error of Close does not matter after reading
	text, err := io.ReadAll(io.LimitReader(file, document.MaxSize+1))
	if err != nil {
		return nil, unreadable(path, err)
	}
	return text, nil
}

func unreadable(path string, err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return fmt.Errorf("%s: cannot be read: %w; check its permissions", path, cause(err))
}

// cause() returns an error without the path. The message already contains the path.
func cause(err error) error {
	if at, ok := errors.AsType[*fs.PathError](err); ok {
		return at.Err
	}
	if at, ok := errors.AsType[*os.LinkError](err); ok {
		return at.Err
	}
	return err
}

// ReadFile reads a file before it is changed. It rejects a symbolic link, and a path that leads out of the project
// through a link.
func (t Target) ReadFile(path string) ([]byte, error) {
	if err := t.checkInside(path); err != nil {
		return nil, err
	}
	return ReadFile(path)
}

// checkInside returns an error if a path is a link, or leads out of the project through a link. Without this check,
// anyone who can put a link into the project could make this program change the user's own files.
func (t Target) checkInside(path string) error {
	if link, err := os.Readlink(path); err == nil {
		return fmt.Errorf("%s: is a link to %s, and guardrails changes no file through a link; put a file in its "+
			"place, or change %s by hand",
			path, link, link)
	}
	if t.Root == "" || !strings.HasPrefix(path, filepath.Clean(t.Root)+string(filepath.Separator)) {
		return nil
	}
	dir := filepath.Dir(path)
	if _, err := os.Lstat(dir); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	root, err := filepath.EvalSymlinks(t.Root)
	if err != nil {
		return fmt.Errorf("%s: cannot be read: %w; check the path", t.Root, cause(err))
	}
	real, err := filepath.EvalSymlinks(dir)
	if err != nil {
		return fmt.Errorf("%s: is a link that leads nowhere; remove it", dir)
	}
	if real != root && !strings.HasPrefix(real, root+string(filepath.Separator)) {
		return fmt.Errorf("%s: is a link to %s, outside the project; put a folder in its place", dir, real)
	}
	return nil
}
