// Package secret reads the files in which passwords, tokens and keys lie.
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

// max is the longest text that is taken for a secret.
const max = 4096

// ErrHome is the error of a path below the home where nobody says where that is.
var ErrHome = errors.New("HOME is not set; write it from / on")

// Path is where a file of the settings lies, which may begin with ~/.
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

// ErrOwner is the error of a file that is not for others.
var ErrOwner = errors.New("is the token of this computer's own server; name a file with what is meant for the other one")

// ForOthers reports, as an ErrOwner, a file that holds the owner's token of the server on this computer: settings come with
// projects, and must not send it away.
func ForOthers(env func(string) string, path string) error {
	own, err := os.Stat(filepath.Join(product.StateDir(env), product.TokenFile))
	if err != nil {
		return nil // there is none, or nobody can read it
	}
	if named, err := os.Stat(path); err == nil && os.SameFile(own, named) {
		return ErrOwner
	}
	return nil
}

// Read reads a file that nobody else may read, follows no link and waits for no pipe. The error goes on a sentence that
// begins with the file's name, and never says what is in it.
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
		return "", errors.New("was exchanged while it was opened; look at who does that")
	}
	text, err := io.ReadAll(io.LimitReader(f, max+1))
	if err != nil {
		return "", unread(err)
	}
	found := strings.TrimSpace(string(text))
	if found == "" || len(text) > max || strings.ContainsFunc(found, func(r rune) bool { return r <= ' ' || r >= 0x7f }) {
		return "", errors.New("does not hold a secret; write it into the file, on one line")
	}
	return found, nil
}

func unread(err error) error {
	if at, ok := errors.AsType[*fs.PathError](err); ok {
		err = at.Err
	}
	return errors.New("cannot be read: " + err.Error() + "; check the path and its permissions")
}
