package reach

import (
	"bytes"
	"errors"
	"io"
)

// The type "buffered" reads lines and bytes. It has only the functions of bufio.Reader that hooks need, because
// bufio.Reader would add 4 KB to the largest hook.
type buffered struct {
	from io.Reader
	// The field "space" is the buffer. The field "unread" is the part of the buffer that nobody has read yet.
	unread []byte
	space  [maxHead]byte
}

// errLongLine means that a line does not fit into the buffer.
var errLongLine = errors.New("the line is too long")

// line() reads a line, including the line end. The result is valid until the next call of line().
func (b *buffered) line() ([]byte, error) {
	for {
		if at := bytes.IndexByte(b.unread, '\n'); at >= 0 {
			line := b.unread[:at+1]
			b.unread = b.unread[at+1:]
			return line, nil
		}
		had := copy(b.space[:], b.unread)
		if had == len(b.space) {
			return nil, errLongLine
		}
		more, err := b.from.Read(b.space[had:])
		b.unread = b.space[:had+more]
		if more == 0 {
			rest := b.unread
			b.unread = nil
			if err == nil {
				err = io.ErrNoProgress
			}
			return rest, err
		}
	}
}

// Read reads the bytes that have arrived.
func (b *buffered) Read(into []byte) (int, error) {
	if len(b.unread) == 0 {
		return b.from.Read(into)
	}
	n := copy(into, b.unread)
	b.unread = b.unread[n:]
	return n, nil
}
