package document

// Text steps over a string and returns its value. If the string has no escapes, the result shares memory with the text.
func (s *Scanner) Text() (string, bool) {
	if s.Peek() != '"' {
		return "", s.unexpected("a string")
	}
	return s.str()
}

// Value steps over any value and returns it in the form of Node.Value. If a key occurs twice, the last value counts.
func (s *Scanner) Value() (any, bool) {
	switch c := s.Peek(); {
	case c == '{':
		out := map[string]any{}
		ok := s.Object(func(name string) (ok bool) {
			out[name], ok = s.Value()
			return ok
		})
		return out, ok
	case c == '[':
		out := []any{}
		ok := s.List(func() bool {
			item, ok := s.Value()
			out = append(out, item)
			return ok
		})
		return out, ok
	case c == '"':
		return s.str()
	case startsNumber(c):
		raw, ok := s.Raw()
		return Numeral(raw), ok
	}
	switch s.literal() {
	case "true":
		return true, true
	case "false":
		return false, true
	case "null":
		return nil, true
	}
	return nil, false
}
