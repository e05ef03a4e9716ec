package web

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"strings"
)

const compressed = ".gz"

// read() reads the files below a folder. A file x.gz is the compressed form of the file x.
func read(from fs.FS, folder string) (map[string]*file, error) {
	files := map[string]*file{}
	err := fs.WalkDir(from, folder, func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || strings.HasSuffix(name, compressed) {
			return err
		}
		f, err := readFile(from, name)
		files[strings.TrimPrefix(name, folder+"/")] = f
		return err
	})
	if err != nil {
		return nil, err
	}
	if files[index] == nil {
		return nil, fmt.Errorf("%s has no %s; build the page again", folder, index)
	}
	for name, f := range files {
		f.isImmutable = strings.HasPrefix(name, assets)
	}
	return files, nil
}

func readFile(from fs.FS, name string) (*file, error) {
	contentType, known := contentTypeOf(name)
	if !known {
		return nil, fmt.Errorf("%s: the type of this file is not known; add it to contentTypeOf", name)
	}
	text, err := fs.ReadFile(from, name)
	if err != nil {
		return nil, err
	}
	f := &file{contentType: contentType, plain: newContent(text)}
	if small, err := fs.ReadFile(from, name+compressed); err == nil { // most files have no compressed form
		f.small = newContent(small)
	}
	return f, nil
}

func newContent(text []byte) content {
	sum := sha256.Sum256(text)
	return content{text, `"` + hex.EncodeToString(sum[:16]) + `"`}
}
