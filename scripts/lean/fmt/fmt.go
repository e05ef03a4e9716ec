// Package fmt is as much of the standard package of this name as the shell parser uses for the texts of its errors. The
// real one is a tenth of what a hook would load; this one takes its place in the copy of the parser that hooks are built
// with. A test holds it against the real one.
package fmt

import (
	"errors"
	"io"
	"strconv"
)

// Stringer has a text.
type Stringer interface{ String() string }

// State is what a Formatter writes to.
type State interface {
	Write(b []byte) (n int, err error)
}

// Formatter writes itself.
type Formatter interface{ Format(f State, verb rune) }

// text collects what is written, and knows the verb that a Formatter is asked for.
type text struct {
	out  []byte
	verb string
}

func (t *text) Write(b []byte) (int, error) {
	t.out = append(t.out, b...)
	return len(b), nil
}

// FormatString is the verb that a Formatter is asked for, with its flag.
func FormatString(f State, _ rune) string {
	if t, ok := f.(*text); ok {
		return t.verb
	}
	return "%s"
}

// Sprintf knows the verbs %s, %q and %#q for texts and what has one.
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

// Errorf is Sprintf as an error.
func Errorf(format string, args ...any) error { return errors.New(Sprintf(format, args...)) }

// Fprintf writes what Sprintf gives.
func Fprintf(w io.Writer, format string, args ...any) (int, error) {
	return w.Write([]byte(Sprintf(format, args...)))
}
