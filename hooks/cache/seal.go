package cache

import (
	"bytes"
	"errors"
	"time"

	"guardrails/internal/document"
	"guardrails/internal/private"
)

// ErrUnsigned means that a document has no valid signature: guardrails did not write it for this session, somebody
// changed it, or the key has changed.
var ErrUnsigned = errors.New("the file has no valid signature of guardrails")

// Seal sets the time from which a document is valid, and signs it. The head has its own signature, and each line of the
// index has the signature of its guideline. So a hook need not read the whole document for a call. The key is different
// for every session, so the document is not valid in another session.
func Seal(doc []byte, now time.Time, key private.Key) error {
	if len(doc) < firstLine || string(doc[:timeAt]) != formatLine {
		return ErrFormat
	}
	copy(doc[timeAt:], document.FormatTime(now))
	head := number(doc[headAt : headAt+9])
	if head < firstLine || head > len(doc) {
		return ErrBroken
	}
	index, ok := indexOf(doc[firstLine:head])
	if !ok {
		return ErrBroken
	}
	for len(index) > 0 {
		var text []byte
		text, index, _ = bytes.Cut(index, []byte{'\n'})
		l, ok := parseLine(text)
		from := int64(head) + l.at
		if !ok || from+int64(l.size) > int64(len(doc)) {
			return ErrBroken
		}
		copy(l.sum, key.Sum(doc[from:from+int64(l.size)]))
	}
	text, key := signedPart(doc[:head], key)
	copy(doc[sumAt:], key.Sum(text))
	return nil
}

// signedPart returns the text that the signature of a head covers, and the key for this signature. The key is derived
// from the fields before the signature, so the signature protects these fields, too.
func signedPart(head []byte, key private.Key) ([]byte, private.Key) {
	return head[firstLine:], key.For(string(head[:sumAt]))
}

const indexStart, indexEnd = "\"index\":[\n", "\n],\n\"guidelines\":[\n"

func indexOf(settings []byte) ([]byte, bool) {
	_, rest, ok := bytes.Cut(settings, []byte(",\n"+indexStart))
	return bytes.TrimSuffix(rest, []byte(indexEnd)), ok && bytes.HasSuffix(rest, []byte(indexEnd))
}
