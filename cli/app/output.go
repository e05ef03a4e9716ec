package app

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"unicode"
)

// Format is the form of an answer. It is the value of the flag --output.
type Format string

// The forms of an answer.
const (
	Text Format = "text"
	JSON Format = "json"
)

// Formats returns the names of all formats.
func Formats() []string { return []string{string(Text), string(JSON)} }

func (f *Format) String() string { return string(*f) }

// Set sets the format. It rejects an unknown format.
func (f *Format) Set(s string) error {
	if !slices.Contains(Formats(), s) {
		return fmt.Errorf("use %s", strings.Join(Formats(), " or "))
	}
	*f = Format(s)
	return nil
}

// Type returns the name that help texts show for the value.
func (f *Format) Type() string { return "FORMAT" }

// Print writes a whole answer to stdout.
func (a *App) Print(answer []byte) error {
	_, err := a.Stdout.Write(answer)
	return WriteError(err)
}

// WriteError returns the error for an answer that could not be written.
func WriteError(err error) error {
	if err == nil {
		return nil
	}
	return Failf("stdout: cannot be written: %v; check where stdout is redirected to", err)
}

// Answer writes value as JSON if the user wants JSON. Otherwise it writes the text that draw() prints.
func (a *App) Answer(value any, draw func(p *Printer)) error {
	if a.Format == JSON {
		encoded, err := Encode(value)
		if err != nil {
			return err
		}
		return a.Print(encoded)
	}
	p := &Printer{Colors: a.colors()}
	draw(p)
	return a.Print(p.Bytes())
}

// Note writes a note to stderr. It writes the same note only once.
func (a *App) Note(text string) {
	if slices.Contains(a.noted, text) {
		return
	}
	a.noted = append(a.noted, text)
	// If stderr is closed, the answer is still correct.
	_, _ = fmt.Fprintln(a.Stderr, "note: "+text)
}

// Encode returns a value as indented JSON. It does not escape <, > and &.
func Encode(value any) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(value); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

func (a *App) colors() bool {
	return a.Terminal && a.Env("NO_COLOR") == "" && a.Env("TERM") != "dumb"
}

// Printer collects the text of an answer.
type Printer struct {
	bytes.Buffer
	Colors bool
}

// Line writes one line.
func (p *Printer) Line(format string, args ...any) {
	_, _ = fmt.Fprintf(p, format, args...)
	p.WriteByte('\n')
}

// Field writes a label and a value, unless the value is empty.
func (p *Printer) Field(label, value string) {
	if value != "" {
		p.Line("%-14s %s", label, indented(value, 15))
	}
}

// Color is the terminal code of a colour. The empty Color changes nothing.
type Color string

// The colours of answers.
const (
	Plain  Color = ""
	Bold   Color = "1"
	Red    Color = "31"
	Green  Color = "32"
	Yellow Color = "33"
)

// Paint colours a text if colours are enabled.
func (p *Printer) Paint(c Color, s string) string {
	if !p.Colors || c == Plain {
		return s
	}
	return "\x1b[" + string(c) + "m" + s + "\x1b[0m"
}

// indented() indents all lines of a text except the first one.
func indented(s string, by int) string {
	return strings.ReplaceAll(s, "\n", "\n"+strings.Repeat(" ", by))
}

// Flat returns a text as one line, without characters that control the terminal.
func Flat(s string) string {
	s = strings.Join(strings.Fields(s), " ")
	return strings.Map(func(r rune) rune {
		if r < 0x20 || r >= 0x7f && r < 0xa0 || unicode.Is(unicode.Cf, r) {
			return '·'
		}
		return r
	}, s)
}

// Count returns a text with a number and a noun, such as "2 calls". The noun is plural unless the number is 1.
func Count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	if stem, ok := strings.CutSuffix(noun, "y"); ok {
		return fmt.Sprintf("%d %sies", n, stem)
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
