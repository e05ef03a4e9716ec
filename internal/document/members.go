package document

import (
	"bytes"
	"errors"
	"unicode/utf8"
)

// Member is one member of a JSON object, or one item of a list, which has no name.
type Member struct {
	Name string
	// Raw is the value's own text.
	Raw []byte
}

// errNotJSON is what Members says of a text that has no members.
var errNotJSON = errors.New("is not JSON")

// Members splits an object or a list into its parts. It reads only as much of the values as it takes to find their ends,
// so that a large one costs little; names are taken as written and all of them are kept, because one that is written
// twice or in other letters must not hide the one that a reader uses.
func Members(raw []byte) ([]Member, error) {
	r := memberReader{raw: raw}
	list, err := r.container()
	if err != nil {
		return nil, err
	}
	r.space()
	if r.at != len(r.raw) {
		return nil, errNotJSON
	}
	return list, nil
}

type memberReader struct {
	raw []byte
	at  int
}

func (r *memberReader) space() {
	for r.at < len(r.raw) && (r.raw[r.at] == ' ' || r.raw[r.at] == '\n' || r.raw[r.at] == '\t' || r.raw[r.at] == '\r') {
		r.at++
	}
}

// peek is the next byte that is not space, or 0 at the end.
func (r *memberReader) peek() byte {
	r.space()
	if r.at < len(r.raw) {
		return r.raw[r.at]
	}
	return 0
}

func (r *memberReader) take(c byte) bool {
	if r.peek() != c {
		return false
	}
	r.at++
	return true
}

func (r *memberReader) container() ([]Member, error) {
	object := r.take('{')
	end := byte('}')
	if !object {
		end = ']'
		if !r.take('[') {
			return nil, errNotJSON
		}
	}
	if r.take(end) {
		return nil, nil
	}
	list := make([]Member, 0, 16)
	for {
		m, err := r.member(object)
		if err != nil {
			return nil, err
		}
		list = append(list, m)
		if r.take(end) {
			return list, nil
		}
		if !r.take(',') {
			return nil, errNotJSON
		}
	}
}

func (r *memberReader) member(object bool) (Member, error) {
	var m Member
	if object {
		name, ok := Text(r.value())
		if !ok || !r.take(':') {
			return m, errNotJSON
		}
		m.Name = name
	}
	m.Raw = r.value()
	if len(m.Raw) == 0 {
		return m, errNotJSON
	}
	return m, nil
}

// value is the text of the next value, or nothing when it has no end.
func (r *memberReader) value() []byte {
	c := r.peek()
	start := r.at
	switch c {
	case '"':
		if !r.text() {
			return nil
		}
	case '{', '[':
		if !r.nested() {
			return nil
		}
	default:
		for r.at < len(r.raw) && bytes.IndexByte([]byte(" \t\r\n,]}:"), r.raw[r.at]) < 0 {
			r.at++
		}
		if !scalar(r.raw[start:r.at]) {
			return nil
		}
	}
	return r.raw[start:r.at]
}

// scalar reports whether a text that is no string and no container can be a value.
func scalar(text []byte) bool {
	switch string(text) {
	case "true", "false", "null":
		return true
	}
	for _, c := range text {
		if (c < '0' || c > '9') && bytes.IndexByte([]byte("+-.eE"), c) < 0 {
			return false
		}
	}
	return len(text) > 0
}

// nested steps over a container with everything in it; false when it has no end.
func (r *memberReader) nested() bool {
	depth := 0
	for r.at < len(r.raw) {
		switch r.raw[r.at] {
		case '"':
			if !r.text() {
				return false
			}
			continue
		case '{', '[':
			depth++
		case '}', ']':
			depth--
		}
		r.at++
		if depth == 0 {
			return true
		}
	}
	return false
}

// text steps over a string; false when it has no end.
func (r *memberReader) text() bool {
	r.at++
	for from := r.at; ; {
		next := bytes.IndexByte(r.raw[r.at:], '"')
		if next < 0 {
			r.at = len(r.raw)
			return false
		}
		r.at += next + 1
		if !escaped(r.raw[from : r.at-1]) {
			return true
		}
	}
}

// escaped reports whether a text ends in an odd number of backslashes.
func escaped(text []byte) bool {
	n := len(text)
	for n > 0 && text[n-1] == '\\' {
		n--
	}
	return (len(text)-n)%2 == 1
}

// Text is the value of a JSON string; what is not UTF-8 in it becomes the replacement character.
func Text(raw []byte) (string, bool) {
	inner, ok := inside(raw)
	if !ok {
		return "", false
	}
	if bytes.IndexByte(inner, '\\') < 0 && utf8.Valid(inner) {
		return string(inner), true
	}
	return unescape(inner)
}

// inside is what stands between the quotes of a JSON string.
func inside(raw []byte) ([]byte, bool) {
	if len(raw) < 2 || raw[0] != '"' || raw[len(raw)-1] != '"' {
		return nil, false
	}
	return raw[1 : len(raw)-1], true
}
