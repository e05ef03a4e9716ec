// Package secretfile reads files with passwords, tokens and keys.
//
// Start with Read.
package secretfile

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

// The constant "max" is the size of the longest secret in bytes.
const max = 4096

// ErrHome means that a path begins with ~/ but HOME is not set to an absolute path.
var ErrHome = errors.New("HOME is not set; set it or write an absolute path")

// Path returns the absolute path of a file that the configuration names. The name may begin with ~/.
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

// ErrOwner means that a path is the token file of this computer's own server. This token must not be sent to another
// server.
var ErrOwner = errors.New("is the token file of this computer's own server; give the path of the " +
	"other server's token file")

// ForOthers returns ErrOwner if a path is the token file of this computer's own server. A project can name the file in
// its configuration, and a project must not make a program send this token to another server.
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

// Read reads a file that only its owner may read. It does not follow links and does not wait for pipes. The text of the
// error continues a sentence that begins with the file's name. The text never contains the file's content.
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
	defer func() { _ = f.Close() }() // an error of Close does not matter after reading
	if now, err := f.Stat(); err != nil || !os.SameFile(before, now) {
		return "", errors.New("was replaced while it was opened; find out which program does that")
	}
	text, err := io.ReadAll(io.LimitReader(f, max+1))
	if err != nil {
		return "", unread(err)
	}
	found := strings.TrimSpace(string(text))
	if found == "" || len(text) > max || strings.ContainsFunc(found, func(r rune) bool { return r <= ' ' || r >= 0x7f }) {
		return "", errors.New("contains no secret; write the secret on one line")
	}
	return found, nil
}

func unread(err error) error {
	if at, ok := errors.AsType[*fs.PathError](err); ok {
		err = at.Err
	}
	return errors.New("cannot be read: " + err.Error() + "; check the path and its permissions")
}
