package intake

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"io/fs"
	"os"

	"guardrails/internal/private"
)

// chunkSize is the number of bytes that are read in one step. Most lines have a few hundred bytes. A line that fills a
// whole chunk is damaged.
const (
	chunkSize = 512 << 10
	headSize  = 256
)

type file struct {
	*private.File
	name string
	size int64
}

func openFile(dir *private.Dir, name string) (*file, error) {
	f, info, err := dir.OpenFile(name)
	if err != nil {
		return nil, err
	}
	return &file{f, name, info.Size()}, nil
}

type piece struct {
	place
	text []byte
}

// lines() reads the complete lines in the chunk that begins at the given offset. It also returns the offset after these
// lines. If the parameter "last" is set, the file will not grow any further, so a text after the last line end also
// counts as a line.
func (f *file) lines(from int64, last bool) (out []piece, next int64, err error) {
	text := make([]byte, min(chunkSize, max(0, f.size-from)))
	n, err := f.ReadAt(text, from)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, from, err
	}
	text, next = text[:n], from
	for len(text) > 0 {
		end := bytes.IndexByte(text, '\n')
		whole := n == chunkSize && next == from || last && next+int64(len(text)) == f.size
		if end < 0 && !whole {
			break
		}
		if end < 0 {
			end = len(text)
		}
		if end > 0 {
			out = append(out, piece{place{f.name, next}, text[:end]})
		}
		end = min(end+1, len(text))
		text, next = text[end:], next+int64(end)
	}
	return out, next, nil
}

// head() returns a fingerprint of the beginning of a file. The fingerprint shows whether a later file with the same
// name is a different file.
func (f *file) head(read int64) (string, error) {
	text := make([]byte, min(read, headSize))
	if _, err := f.ReadAt(text, 0); err != nil && !errors.Is(err, io.EOF) {
		return "", err
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:8]), nil
}

// sizes() returns the names and the sizes of a folder's spool files.
func sizes(dir *private.Dir) (names []string, size map[string]int64, err error) {
	all, err := dir.List("")
	if err != nil {
		return nil, nil, err
	}
	size = map[string]int64{}
	for _, name := range all {
		if !isDay(name) {
			continue
		}
		info, err := os.Lstat(dir.Path(name))
		if err != nil {
			continue // the file was removed in the meantime
		}
		if info.Mode()&fs.ModeType == 0 {
			names, size[name] = append(names, name), info.Size()
		}
	}
	return names, size, nil
}
