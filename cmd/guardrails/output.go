package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"unicode"
)

// app is one run of the program: the world, and how the answer is to be written.
type app struct {
	*world
	format format
}

// format is the form of an answer.
type format string

const (
	asText format = "text"
	asJSON format = "json"
)

func formats() []string { return []string{string(asText), string(asJSON)} }

// String, Set and Type make a format the value of a flag.
func (f *format) String() string { return string(*f) }

// Set takes one of the known formats.
func (f *format) Set(s string) error {
	if !slices.Contains(formats(), s) {
		return fmt.Errorf("use %s", strings.Join(formats(), " or "))
	}
	*f = format(s)
	return nil
}

// Type names the value in help texts.
func (f *format) Type() string { return "FORMAT" }

// print writes a whole answer to stdout at once.
func (a *app) print(answer []byte) error {
	_, err := a.stdout.Write(answer)
	return unwritable(err)
}

// unwritable says what to do about an answer that did not arrive.
func unwritable(err error) error {
	if err == nil {
		return nil
	}
	return failure("stdout: cannot be written: %v; check where it goes", err)
}

// answer writes a value as JSON, or what draw makes of it for people.
func (a *app) answer(value any, draw func(p *printer)) error {
	if a.format == asJSON {
		encoded, err := encode(value)
		if err != nil {
			return err
		}
		return a.print(encoded)
	}
	p := &printer{colors: a.colors()}
	draw(p)
	return a.print(p.Bytes())
}

// encode is indented JSON in which <, > and & stand as they are.
func encode(value any) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(value); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

func (a *app) colors() bool {
	return a.terminal && a.env("NO_COLOR") == "" && a.env("TERM") != "dumb"
}

// printer collects text for people.
type printer struct {
	bytes.Buffer
	colors bool
}

func (p *printer) line(format string, args ...any) {
	_, _ = fmt.Fprintf(p, format, args...)
	p.WriteByte('\n')
}

// field writes a labelled value, unless it is empty.
func (p *printer) field(label, value string) {
	if value != "" {
		p.line("%-14s %s", label, indented(value, 15))
	}
}

// color is the code of a terminal's colour.
type color string

const (
	red    color = "31"
	green  color = "32"
	yellow color = "33"
	bold   color = "1"
)

func (p *printer) paint(c color, s string) string {
	if !p.colors || c == "" {
		return s
	}
	return "\x1b[" + string(c) + "m" + s + "\x1b[0m"
}

// indented sets the lines of a text after its first one below each other.
func indented(s string, by int) string {
	return strings.ReplaceAll(s, "\n", "\n"+strings.Repeat(" ", by))
}

// flat makes a text fit on a line, where it must not play tricks with the terminal either.
func flat(s string) string {
	s = strings.Join(strings.Fields(s), " ")
	return strings.Map(func(r rune) rune {
		if r < 0x20 || r >= 0x7f && r < 0xa0 || unicode.Is(unicode.Cf, r) {
			return '·'
		}
		return r
	}, s)
}

func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
