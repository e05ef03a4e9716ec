package service

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"guardrails/guideline/document"
)

// maxToken is the longest text that is taken for a token.
const maxToken = 4096

// readToken reads the secret that a server wants. The error names the file and never what is in it.
func readToken(env func(string) string, name string) (string, error) {
	path := name
	if below, ok := strings.CutPrefix(name, "~/"); ok {
		if !filepath.IsAbs(env("HOME")) {
			return "", errors.New("cannot be asked: its token_file is " + name + ", and HOME is not set; write it from / on")
		}
		path = filepath.Join(env("HOME"), below)
	}
	token, err := secret(path)
	if err != nil {
		return "", errors.New("cannot be asked: its token_file " + document.Printable(path) + " " + err.Error())
	}
	return token, nil
}

// secret reads a file that nobody else may read, follows no link and waits for no pipe.
func secret(path string) (string, error) {
	before, err := os.Lstat(path)
	if err != nil {
		return "", unread(err)
	}
	if !before.Mode().IsRegular() {
		return "", errors.New("is not a regular file; write the token into one")
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
	text, err := io.ReadAll(io.LimitReader(f, maxToken+1))
	if err != nil {
		return "", unread(err)
	}
	token := strings.TrimSpace(string(text))
	if token == "" || len(text) > maxToken || strings.ContainsFunc(token, func(r rune) bool { return r <= ' ' || r >= 0x7f }) {
		return "", errors.New("does not hold a token; write it into the file, on one line")
	}
	return token, nil
}

func unread(err error) error {
	if at, ok := errors.AsType[*fs.PathError](err); ok {
		err = at.Err
	}
	return errors.New("cannot be read: " + err.Error() + "; check the path and its permissions")
}
