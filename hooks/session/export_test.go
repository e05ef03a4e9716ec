package session

import (
	"io/fs"
	"os"

	"guardrails/internal/product"
)

// What tests need to see.

func Temporary(env func(string) string) string { return product.TemporaryRuntimeDir(env) }

// CheckAs says whether a folder could be used by another user.
func CheckAs(path string, uid int) error {
	info, err := lookAt(path)
	if err != nil {
		return err
	}
	return (&Dir{path: path, uid: uid}).check(info, "")
}

// As is the folder as another user would use it.
func (d *Dir) As(uid int) *Dir { return &Dir{d.path, uid} }

// Mode is a file's mode.
func (d *Dir) Mode(name string) fs.FileMode {
	info, err := os.Lstat(d.Path(name))
	if err != nil {
		return 0
	}
	return info.Mode().Perm()
}

// TouchByWriting is Touch on systems that have no call for it.
func (d *Dir) TouchByWriting(name string) error { return d.create(name) }

// Line is an entry as it stands in the ledger.
func Line(e Entry) []byte { return e.line() }

// StateOf is what the text of a ledger adds up to.
func StateOf(text string) *State {
	l := log{text: text}
	l.mark = l.lastMark()
	s, from := l.begin()
	s.addLines(l.text[from:])
	return s
}

// Trimmed is the text of a ledger with a checkpoint at its end.
func Trimmed(text string) string {
	l := log{text: text}
	l.mark = l.lastMark()
	s, from := l.begin()
	return text + "\n" + string(l.markAfter(s, from).line()) + "\n"
}
