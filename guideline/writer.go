package guideline

import (
	"errors"
	"math"
	"strconv"
	"unicode/utf8"

	"guardrails/internal/document"
)

type writer struct {
	out []byte
	err error
}

func (w *writer) open(bracket byte) { w.out = append(w.out, bracket) }

func (w *writer) close(bracket byte) { w.out = append(w.out, bracket) }

// next() writes a comma between two items. It writes nothing before the first item of a list or object.
func (w *writer) next() {
	if last := w.out[len(w.out)-1]; last != '{' && last != '[' {
		w.out = append(w.out, ',')
	}
}

func (w *writer) key(name string) {
	w.next()
	w.out = append(appendText(w.out, name), ':')
}

func (w *writer) text(key, value string) {
	w.key(key)
	w.out = appendText(w.out, value)
}

func (w *writer) optional(key, value string) {
	if value != "" {
		w.text(key, value)
	}
}

func (w *writer) number(key string, value int) {
	w.key(key)
	w.out = strconv.AppendInt(w.out, int64(value), 10)
}

func (w *writer) boolean(key string, value bool) {
	w.key(key)
	w.out = strconv.AppendBool(w.out, value)
}

func (w *writer) list(key string, values []string) {
	if len(values) == 0 {
		return
	}
	w.key(key)
	w.texts(values)
}

func (w *writer) texts(values []string) {
	w.open('[')
	for _, value := range values {
		w.next()
		w.out = appendText(w.out, value)
	}
	w.close(']')
}

func (w *writer) optionalMap(key string, values map[string]any) {
	if len(values) > 0 {
		w.key(key)
		w.object(values)
	}
}

func (w *writer) object(values map[string]any) {
	w.open('{')
	for _, key := range document.SortedKeys(values) {
		w.key(key)
		w.value(values[key])
	}
	w.close('}')
}

var errNoJSON = errors.New("a guideline has a value that JSON cannot express")

func (w *writer) value(v any) {
	switch x := v.(type) {
	case nil:
		w.out = append(w.out, "null"...)
	case string:
		w.out = appendText(w.out, x)
	case numeral:
		w.out = append(w.out, x.String()...)
	case bool:
		w.out = strconv.AppendBool(w.out, x)
	case int:
		w.out = strconv.AppendInt(w.out, int64(x), 10)
	case float64:
		w.float(x)
	case []any:
		w.open('[')
		for _, item := range x {
			w.next()
			w.value(item)
		}
		w.close(']')
	case []string:
		w.texts(x)
	case map[string]any:
		w.object(x)
	default:
		w.err = errNoJSON
	}
}

// float() writes a number. It uses an exponent for the same very large and very small numbers as JavaScript.
func (w *writer) float(f float64) {
	if math.IsNaN(f) || math.IsInf(f, 0) {
		w.err = errNoJSON
		return
	}
	format := byte('f')
	if size := math.Abs(f); size != 0 && (size < 1e-6 || size >= 1e21) {
		format = 'e'
	}
	w.out = strconv.AppendFloat(w.out, f, format, -1, 64)
	if n := len(w.out); format == 'e' && n >= 4 && w.out[n-4] == 'e' && w.out[n-3] == '-' && w.out[n-2] == '0' {
		w.out[n-2] = w.out[n-1]
		w.out = w.out[:n-1]
	}
}

// appendText appends a JSON string. Invalid UTF-8 becomes the replacement character.
func appendText(to []byte, text string) []byte {
	to = append(to, '"')
	for i, r := range text {
		switch {
		case r == '"' || r == '\\':
			to = append(to, '\\', byte(r))
		case r < ' ' || r == '\u2028' || r == '\u2029':
			to = appendEscape(to, r)
		case r == utf8.RuneError && text[i] != "\ufffd"[0]:
			to = append(to, `\ufffd`...)
		default:
			to = utf8.AppendRune(to, r)
		}
	}
	return append(to, '"')
}

func appendEscape(to []byte, r rune) []byte {
	const digits = "0123456789abcdef"
	switch r {
	case '\b':
		return append(to, '\\', 'b')
	case '\f':
		return append(to, '\\', 'f')
	case '\n':
		return append(to, '\\', 'n')
	case '\r':
		return append(to, '\\', 'r')
	case '\t':
		return append(to, '\\', 't')
	}
	return append(to, '\\', 'u', digits[r>>12&15], digits[r>>8&15], digits[r>>4&15], digits[r&15])
}
