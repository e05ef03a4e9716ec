package fallback

import (
	"bytes"
	"errors"
	"io"
	"slices"

	"guardrails/internal/private"
)

// writtenAtOnce is the size in bytes of the buffer with which a snapshot is written or compared.
const writtenAtOnce = 64 << 10

// isSaved reports whether a file already has the content that write() would write. It ignores the time in the file. The
// time begins at the offset in the parameter "head".
func isSaved(d *private.Dir, name string, head int, write func(io.Writer) error) bool {
	f, info, err := d.OpenFile(name)
	if err != nil {
		return false
	}
	defer func() { _ = f.Close() }() // the file is only read
	c := &comparer{old: io.NewSectionReader(f, 0, info.Size()), from: head, to: head + len(timeForm)}
	return write(c) == nil && c.at == int(info.Size())
}

var errDiffers = errors.New("the saved guidelines are different")

// A comparer compares the bytes that are written to the comparer with the content of a file. The bytes between the
// offsets "from" and "to" may differ.
type comparer struct {
	old          io.Reader
	had          []byte
	at, from, to int
}

func (c *comparer) Write(text []byte) (int, error) {
	c.had = slices.Grow(c.had[:0], len(text))[:len(text)]
	if _, err := io.ReadFull(c.old, c.had); err != nil {
		return 0, errDiffers
	}
	for i := max(0, c.from-c.at); i < min(len(text), c.to-c.at); i++ {
		c.had[i] = text[i]
	}
	c.at += len(text)
	if !bytes.Equal(c.had, text) {
		return 0, errDiffers
	}
	return len(text), nil
}
