package private

import (
	"io/fs"
	"os"
	"strconv"
	"strings"
)

// Stamp identifies a state of a file. The stamp changes whenever the content or the mode of the file changes, or
// another file replaces it at the same path. The zero Stamp means that nothing exists at the path. On Unix, programs
// cannot give the field Changed a time of their choice.
type Stamp struct {
	Mode                 fs.FileMode
	Size, Inode, Changed int64
}

// Exists reports whether there was something at the path.
func (s Stamp) Exists() bool { return s != Stamp{} }

// Append appends the stamp as a text: four numbers with commas between them.
func (s Stamp) Append(out []byte) []byte {
	for i, n := range [...]int64{int64(s.Mode), s.Size, s.Inode, s.Changed} {
		if i > 0 {
			out = append(out, ',')
		}
		out = strconv.AppendInt(out, n, 10)
	}
	return out
}

// ParseStamp reads the text of a stamp. It returns false if the text is not valid.
func ParseStamp(text string) (Stamp, bool) {
	var n [4]int64
	words := strings.Split(text, ",")
	if len(words) != len(n) {
		return Stamp{}, false
	}
	for i := range n {
		var err error
		if n[i], err = strconv.ParseInt(words[i], 10, 64); err != nil {
			return Stamp{}, false
		}
	}
	return Stamp{fs.FileMode(n[0]), n[1], n[2], n[3]}, true
}

// StampOf returns the stamp of the file or folder at a path. It does not follow a link.
func StampOf(path string) Stamp {
	info, err := lookAt(path)
	if err != nil {
		return Stamp{}
	}
	return info.stamp()
}

// ReadPlain returns the content of a regular file whose size is at most the parameter "limit". It does not follow a
// link and does not wait for a pipe.
func ReadPlain(path string, limit int64) ([]byte, error) {
	f, err := openPlain(path, os.O_RDONLY, 0)
	if err != nil {
		return nil, failed("cannot be read", path, "", err)
	}
	defer ignoreClose(f)
	info, err := f.info()
	switch {
	case err != nil:
		return nil, failed("cannot be read", path, "", err)
	case info.kind() != 0:
		return nil, &Unsafe{path, "is not a regular file", "remove it"}
	case info.Size() > limit:
		return nil, failed("cannot be read", path, "", ErrTooLarge)
	}
	return (&Dir{path: path}).ReadPart(f, "", 0, info.Size())
}
