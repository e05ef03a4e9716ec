package tooluse

import (
	"bytes"
	"encoding/json"
	"errors"
	"unicode/utf8"
)

// jsonMember is one member of a JSON object, or one item of a list, which has no name. Names are taken as written and
// all of them are kept: encoding/json would let "FILE_PATH" or a second "file_path" hide the one that the client uses.
type jsonMember struct {
	name string
	raw  []byte
}

var errNotJSON = errors.New("is not JSON")

// jsonMembers splits an object or a list. It reads only as much of the values as it takes to find their ends, because
// the content of a written file may be large and is not needed.
func jsonMembers(raw []byte) ([]jsonMember, error) {
	r := jsonReader{raw: raw}
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

type jsonReader struct {
	raw []byte
	at  int
}

func (r *jsonReader) space() {
	for r.at < len(r.raw) && (r.raw[r.at] == ' ' || r.raw[r.at] == '\n' || r.raw[r.at] == '\t' || r.raw[r.at] == '\r') {
		r.at++
	}
}

// peek is the next byte that is not space, or 0 at the end.
func (r *jsonReader) peek() byte {
	r.space()
	if r.at < len(r.raw) {
		return r.raw[r.at]
	}
	return 0
}

func (r *jsonReader) take(c byte) bool {
	if r.peek() != c {
		return false
	}
	r.at++
	return true
}

func (r *jsonReader) container() ([]jsonMember, error) {
	var list []jsonMember
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

func (r *jsonReader) member(object bool) (jsonMember, error) {
	var m jsonMember
	if object {
		name, ok := jsonText(r.value())
		if !ok || !r.take(':') {
			return m, errNotJSON
		}
		m.name = name
	}
	m.raw = r.value()
	if len(m.raw) == 0 {
		return m, errNotJSON
	}
	return m, nil
}

// value is the text of the next value, or nothing when it has no end.
func (r *jsonReader) value() []byte {
	c := r.peek()
	start := r.at
	switch c {
	case '"':
		r.text()
	case '{', '[':
		r.nested()
	default:
		for r.at < len(r.raw) && bytes.IndexByte([]byte(" \t\r\n,]}:"), r.raw[r.at]) < 0 {
			r.at++
		}
	}
	return r.raw[start:r.at]
}

// nested steps over a container with everything in it.
func (r *jsonReader) nested() {
	depth := 0
	for r.at < len(r.raw) {
		switch r.raw[r.at] {
		case '"':
			r.text()
			continue
		case '{', '[':
			depth++
		case '}', ']':
			depth--
		}
		r.at++
		if depth == 0 {
			return
		}
	}
}

// text steps over a string.
func (r *jsonReader) text() {
	r.at++
	for r.at < len(r.raw) {
		next := bytes.IndexByte(r.raw[r.at:], '"')
		if next < 0 {
			r.at = len(r.raw)
			return
		}
		from := r.at
		r.at += next + 1
		if !escaped(r.raw[from : r.at-1]) {
			return
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

// jsonText is the value of a JSON string.
func jsonText(raw []byte) (string, bool) {
	if len(raw) < 2 || raw[0] != '"' || raw[len(raw)-1] != '"' {
		return "", false
	}
	inner := raw[1 : len(raw)-1]
	if bytes.IndexByte(inner, '\\') < 0 && utf8.Valid(inner) {
		return string(inner), true
	}
	var s string
	err := json.Unmarshal(raw, &s)
	return s, err == nil
}
