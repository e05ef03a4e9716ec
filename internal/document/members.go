package document

import "errors"

// Member is one member of a JSON object, or one item of a list. An item has no name.
type Member struct {
	Name string
	// Raw is the text of the value.
	Raw []byte
}

var errNotJSON = errors.New("is not JSON")

// Members splits an object or a list into its members. It does not parse nested values, but only finds their ends, so a
// large value costs little. It returns every member, even if several have the same name, so no member can hide another
// member.
func Members(raw []byte) ([]Member, error) {
	r := memberReader{Scanner: NewScanner(raw, 0), raw: raw}
	list, ok := r.container()
	if !ok || r.Peek() != 0 {
		return nil, errNotJSON
	}
	return list, nil
}

type memberReader struct {
	Scanner
	raw []byte
}

func (r *memberReader) container() ([]Member, bool) {
	object, end := r.take('{'), byte('}')
	if !object {
		if end = ']'; !r.take('[') {
			return nil, false
		}
	}
	if r.take(end) {
		return nil, true
	}
	list := make([]Member, 0, 16)
	for {
		m, ok := r.member(object)
		if !ok {
			return nil, false
		}
		list = append(list, m)
		if r.take(end) {
			return list, true
		}
		if !r.take(',') {
			return nil, false
		}
	}
}

func (r *memberReader) member(object bool) (m Member, ok bool) {
	if object {
		name, ok := Text(r.value())
		if !ok || !r.take(':') {
			return m, false
		}
		m.Name = name
	}
	m.Raw = r.value()
	return m, len(m.Raw) > 0
}

// value() steps over the next value and returns its text. It returns nil if the value has no end.
func (r *memberReader) value() []byte {
	c := r.Peek()
	start := r.pos
	var ok bool
	switch c {
	case '"':
		ok = r.skipString()
	case '{', '[':
		ok = r.skipContainer()
	default:
		ok = r.skipScalar()
	}
	if !ok {
		return nil
	}
	return r.raw[start:r.pos]
}

func (r *memberReader) skipScalar() bool {
	start := r.pos
	for r.pos < len(r.text) && !endsScalar(r.text[r.pos]) {
		r.pos++
	}
	switch text := r.text[start:r.pos]; text {
	case "true", "false", "null":
		return true
	default:
		return looksLikeNumber(text)
	}
}

func endsScalar(c byte) bool {
	switch c {
	case ' ', '\t', '\r', '\n', ',', ']', '}', ':':
		return true
	}
	return false
}

func looksLikeNumber(text string) bool {
	for i := range len(text) {
		switch c := text[i]; c {
		case '+', '-', '.', 'e', 'E':
		default:
			if c < '0' || c > '9' {
				return false
			}
		}
	}
	return text != ""
}

// skipContainer steps over an object or a list with its content. It does not check the content, but only counts
// brackets.
func (r *memberReader) skipContainer() bool {
	for depth := 0; r.pos < len(r.text); {
		switch r.text[r.pos] {
		case '"':
			if !r.skipString() {
				return false
			}
			continue
		case '{', '[':
			depth++
		case '}', ']':
			depth--
		}
		r.pos++
		if depth == 0 {
			return true
		}
	}
	return false
}

// skipString steps over a string. It does not check the characters.
func (r *memberReader) skipString() bool {
	for r.pos++; r.pos < len(r.text); {
		switch r.pos = special(r.text, r.pos); {
		case r.pos >= len(r.text):
		case r.text[r.pos] == '"':
			r.pos++
			return true
		case r.text[r.pos] == '\\':
			r.pos += 2
		default:
			r.pos++
		}
	}
	return false
}
