// Package secret reads files with passwords, tokens and keys.
//
// Start with Read.
package secret

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"guardrails/internal/product"
)

// max is the length of the longest secret.
const max = 4096

// ErrHome is the error for a path below the home folder when HOME is not set.
var ErrHome = errors.New("HOME is not set; set it or write an absolute path")

// Path returns the path of a file in the configuration, which may start with ~/.
func Path(env func(string) string, name string) (string, error) {
	below, ok := strings.CutPrefix(name, "~/")
	if !ok {
		return name, nil
	}
	home := env(product.VariableHome)
	if !filepath.IsAbs(home) {
		return "", ErrHome
	}
	return filepath.Join(home, filepath.FromSlash(below)), nil
}

// ErrOwner is the error for the file with the token of this computer's own server.
var ErrOwner = errors.New("is the token of this computer's own server; name the file with the token of the other server")

// ForOthers returns ErrOwner for the file with the token of this computer's own server. The configuration comes with a
// project, which must not be able to send that token elsewhere.
func ForOthers(env func(string) string, path string) error {
	own, err := os.Stat(filepath.Join(product.StateDir(env), product.TokenFile))
	if err != nil {
		return nil // there is no token, or it cannot be read
	}
	if named, err := os.Stat(path); err == nil && os.SameFile(own, named) {
		return ErrOwner
	}
	return nil
}

// Read reads a file that only its owner may read. It follows no link and does not wait for a pipe. The error continues
// a sentence that starts with the file's name, and never quotes the file's content.
func Read(path string) (string, error) {
	before, err := os.Lstat(path)
	if err != nil {
		return "", unread(err)
	}
	if !before.Mode().IsRegular() {
		return "", errors.New("is not a regular file; write the secret into one")
	}
	if runtime.GOOS != "windows" && before.Mode().Perm()&0o077 != 0 {
		return "", errors.New("can be read by others; run chmod 600 on it")
	}
	f, err := os.Open(path)
	if err != nil {
		return "", unread(err)
	}
	defer func() { _ = f.Close() }() // it was only read
	if now, err := f.Stat(); err != nil || !os.SameFile(before, now) {
		return "", errors.New("was replaced while it was opened; find out which program does that")
	}
	text, err := io.ReadAll(io.LimitReader(f, max+1))
	if err != nil {
		return "", unread(err)
	}
	found := strings.TrimSpace(string(text))
	if found == "" || len(text) > max || strings.ContainsFunc(found, func(r rune) bool { return r <= ' ' || r >= 0x7f }) {
		return "", errors.New("has no secret in it; write the secret on one line")
	}
	return found, nil
}

func unread(err error) error {
	if at, ok := errors.AsType[*fs.PathError](err); ok {
		err = at.Err
	}
	return errors.New("cannot be read: " + err.Error() + "; check the path and its permissions")
}
