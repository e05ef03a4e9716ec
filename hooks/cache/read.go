package cache

import (
	"bytes"
	"errors"
	"io"
	"strconv"
	"strings"
	"time"

	"guardrails/detect/effect"
	"guardrails/guideline"
	"guardrails/internal/document"
	"guardrails/internal/private"
)

// Cache is a valid document that is open for reading.
type Cache struct {
	Strict bool
	// NoCalls is set if records must not contain the texts of calls, which are needed to judge a call again later.
	NoCalls bool
	Source  string
	Reason  string
	// The field "Since" is the time at which the guidelines in the document were requested.
	Since time.Time

	// The field "layers" is never empty. In each layer, the field "start" is the position of the layer's first
	// guideline.
	layers []layer
	file   io.ReaderAt
	key    private.Key
	index  []byte
	// The field "bodies" is the position of the guidelines in the file.
	bodies int64
	// The field "read" holds the beginning of the file: at least everything before the guidelines.
	read []byte
	// The field "scratch" is a buffer for more bytes of the file. The field "texts" holds the strings of the decoded
	// guidelines.
	scratch []byte
	texts   strings.Builder
	// The field "events" holds the events that occur in guidelines. Relevant sets this field.
	events eventSet
	// Page is a text that ends with an incomplete web address. If a call is denied, the hook appends Page and the id of
	// the denial to the reason. The id completes the address of a page about the denial. Page is "" if no page can be
	// reached.
	Page string
}

// Names reports whether an event occurs in a guideline. The caller must call Relevant first.
func (c *Cache) Names(event effect.Event) bool { return c.events&eventBit(string(event)) != 0 }

// The errors of Read for a document that is not valid.
var (
	ErrExpired = errors.New("the session's cache has expired")
	ErrFuture  = errors.New("the time of the session's cache is in the future, so a clock may be wrong")
	ErrFormat  = errors.New("the session's cache has the format of another version")
	ErrBroken  = errors.New("the session's cache is broken")
)

type layer struct {
	Layer
	start int64
}

// Context returns the task with the settings of the project's layer.
func (c *Cache) Context() *guideline.Context { return &c.layers[len(c.layers)-1].Context }

// Contexts returns the task with the settings of each layer, the highest layer first.
func (c *Cache) Contexts() []*guideline.Context {
	out := make([]*guideline.Context, len(c.layers))
	for i := range out {
		out[i] = &c.layers[i].Context
	}
	return out
}

// TestCommands returns the test commands of all layers.
func (c *Cache) TestCommands() []string {
	var out []string
	for i := range c.layers {
		out = append(out, c.layers[i].TestCommands...)
	}
	return out
}

// firstRead is the number of bytes of a document that are read at first. For most sets of guidelines, these bytes are
// enough for a call.
const firstRead = 8 << 10

// Read opens a document of the given size and checks its signature. After an error, the caller must request the
// guidelines again. If the error is ErrExpired, Read also returns the document, because a caller may still need the
// task or the guidelines in it.
func Read(file io.ReaderAt, size int64, now time.Time, key private.Key) (*Cache, error) {
	start := make([]byte, min(size, firstRead))
	if _, err := file.ReadAt(start, 0); err != nil || size < int64(firstLine) {
		return nil, ErrBroken
	}
	if string(start[:timeAt]) != formatLine {
		return nil, ErrFormat
	}
	c := &Cache{file: file, read: start, key: key}
	expired := c.checkTimes(now)
	if expired != nil && !errors.Is(expired, ErrExpired) {
		return nil, expired
	}
	if err := c.open(size); err != nil {
		return nil, err
	}
	return c, expired
}

// checkTimes returns an error if the document has expired, is from the future, or has an invalid time or TTL.
func (c *Cache) checkTimes(now time.Time) error {
	since, ok := document.ParseTime(string(c.read[timeAt : timeAt+len(never)]))
	ttl := number(c.read[ttlAt : ttlAt+4])
	switch {
	case !ok || ttl < 0 || ttl > MaxTTL:
		return ErrBroken
	case since.After(now):
		return ErrFuture
	case now.Sub(since) >= time.Duration(ttl)*time.Second:
		return ErrExpired
	}
	c.Since = since
	return nil
}

// open() checks that the document is complete, and reads everything that stands before the guidelines in the document.
func (c *Cache) open(size int64) error {
	head, whole := int64(number(c.read[headAt:headAt+9])), int64(number(c.read[sizeAt:sizeAt+9]))
	if whole != size || head < int64(firstLine) || head > size || size > MaxSize {
		return ErrBroken
	}
	if head > int64(len(c.read)) {
		all := make([]byte, head)
		rest := all[copy(all, c.read):]
		if _, err := c.file.ReadAt(rest, int64(len(c.read))); err != nil {
			return ErrBroken
		}
		c.read = all
	}
	c.bodies = head
	if text, key := signedPart(c.read[:head], c.key); !key.Fits(text, c.read[sumAt:sumAt+len(noSum)]) {
		return ErrUnsigned
	}
	return c.settings(c.read[firstLine:head])
}

// settings() parses the settings in the head and finds the index. It does not look for mistakes that Encode() never
// makes, because a valid signature shows that guardrails wrote the head.
func (c *Cache) settings(text []byte) error {
	var ok bool
	if c.index, ok = indexOf(text); !ok {
		return ErrBroken
	}
	line, _, _ := bytes.Cut(text, []byte(",\n"+indexStart))
	object := make([]byte, 0, len(line)+2)
	r := settingsReader{document.NewScanner(append(append(append(object, '{'), line...), '}'), document.MaxDepth)}
	if !r.Object(func(name string) bool { return r.setting(c, name) }) {
		return brokenBy{r.Err()}
	}
	if len(c.layers) == 0 {
		return ErrBroken
	}
	return nil
}

// brokenBy is the error ErrBroken together with its cause.
type brokenBy struct{ cause error }

func (e brokenBy) Error() string { return ErrBroken.Error() + ": " + e.cause.Error() }

func (e brokenBy) Unwrap() []error { return []error{ErrBroken, e.cause} }

func number(field []byte) int {
	n, err := strconv.Atoi(strings.TrimLeft(string(field), " "))
	if err != nil {
		return -1
	}
	return n
}
