// Package fmt has the few functions of the standard package fmt that the shell parser needs to format its errors. The
// standard package would be a tenth of the code that a hook loads. So hooks are built with a copy of the parser that
// imports this package instead of the standard one. A test compares the results of the two packages.
package fmt

import (
	"errors"
	"io"
	"strconv"
)

// Stringer is implemented by values that return their own text.
type Stringer interface{ String() string }

// State is the output to which a Formatter writes.
type State interface {
	Write(b []byte) (n int, err error)
}

// Formatter is implemented by values that format themselves.
type Formatter interface{ Format(f State, verb rune) }

// The type "text" collects the output. It also holds the verb for which a Formatter is called.
type text struct {
	out  []byte
	verb string
}

func (t *text) Write(b []byte) (int, error) {
	t.out = append(t.out, b...)
	return len(b), nil
}

// FormatString returns the current verb and its flag as they are written in the format.
func FormatString(f State, _ rune) string {
	if t, ok := f.(*text); ok {
		return t.verb
	}
	return "%s"
}

// Sprintf formats strings, byte slices, errors, and values that implement Stringer or Formatter. It supports only
// the verbs %s, %q and %#q.
func Sprintf(format string, args ...any) string {
	t := &text{}
	for i := 0; i < len(format); i++ {
		if format[i] != '%' {
			t.out = append(t.out, format[i])
			continue
		}
		end := i + 1
		for end < len(format)-1 && format[end] == '#' {
			end++
		}
		switch verb := format[i:min(end+1, len(format))]; {
		case verb == "%%":
			t.out = append(t.out, '%')
		case len(args) > 0:
			t.add(verb, args[0])
			args = args[1:]
		}
		i = end
	}
	return string(t.out)
}

func (t *text) add(verb string, arg any) {
	kind := verb[len(verb)-1]
	var plain string
	switch x := arg.(type) {
	case Formatter:
		outer := t.verb
		t.verb = verb
		x.Format(t, rune(kind))
		t.verb = outer
		return
	case string:
		plain = x
	case error:
		plain = x.Error()
	case Stringer:
		plain = x.String()
	case []byte:
		plain = string(x)
	}
	switch {
	case kind != 'q':
		t.out = append(t.out, plain...)
	case verb == "%#q" && strconv.CanBackquote(plain):
		t.out = append(append(append(t.out, '`'), plain...), '`')
	default:
		t.out = strconv.AppendQuote(t.out, plain)
	}
}

// Errorf returns an error with the text that Sprintf returns.
func Errorf(format string, args ...any) error { return errors.New(Sprintf(format, args...)) }

// Fprintf writes the text that Sprintf returns.
func Fprintf(w io.Writer, format string, args ...any) (int, error) {
	return w.Write([]byte(Sprintf(format, args...)))
}
