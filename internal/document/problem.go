package document

import (
	"strconv"
	"strings"
	"unicode"
)

// Problem is one mistake in a document, with its place and a remedy.
type Problem struct {
	File    string `json:"file,omitempty"`
	Line    int    `json:"line,omitempty"`
	Path    string `json:"path,omitempty"`
	Message string `json:"message"`
	Remedy  string `json:"remedy,omitempty"`
}

// Error returns the problem on one line, as file:line: path: message; remedy.
func (p Problem) Error() string {
	var b strings.Builder
	if p.File != "" {
		b.WriteString(p.File)
		if p.Line > 0 {
			b.WriteString(":" + strconv.Itoa(p.Line))
		}
		b.WriteString(": ")
	} else if p.Line > 0 {
		b.WriteString("line " + strconv.Itoa(p.Line) + ": ")
	}
	if p.Path != "" {
		b.WriteString(p.Path + ": ")
	}
	b.WriteString(p.Message)
	if p.Remedy != "" {
		b.WriteString("; " + p.Remedy)
	}
	return Printable(b.String())
}

// Printable escapes control characters, as Go's string literals do. So the name of a file in a message cannot break a
// line or control a terminal.
func Printable(text string) string {
	if strings.IndexFunc(text, unicode.IsControl) < 0 {
		return text
	}
	var b strings.Builder
	for _, r := range text {
		if unicode.IsControl(r) {
			b.WriteString(strings.Trim(strconv.QuoteRune(r), "'"))
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}

// Problems are all mistakes in a document. Mistakes in the text come first, then mistakes in the values, each in
// reading order.
type Problems []Problem

// MaxProblems is the largest number of problems that are reported for a document. If there are more, the last reported
// problem says that there are more.
const MaxProblems = 1000

// Add appends a problem, unless there are already too many.
func (ps *Problems) Add(p Problem) {
	switch {
	case ps.full():
		return
	case len(*ps) == MaxProblems-1:
		p = Problem{File: p.File, Line: p.Line, Message: "has more mistakes than are listed", Remedy: "fix these first"}
	}
	*ps = append(*ps, p)
}

func (ps Problems) full() bool { return len(ps) >= MaxProblems }

// Excerpt quotes a value for a message. It shortens long values.
func Excerpt(value string) string { return strconv.Quote(shorten(value)) }

func shorten(value string) string {
	const limit = 80
	for i := range value {
		if i >= limit {
			return value[:i] + "…"
		}
	}
	return value
}

// Error returns all problems, one per line.
func (ps Problems) Error() string {
	lines := make([]string, len(ps))
	for i, p := range ps {
		lines[i] = p.Error()
	}
	return strings.Join(lines, "\n")
}

// Err returns the problems as an error, or nil if there are none.
func (ps Problems) Err() error {
	if len(ps) == 0 {
		return nil
	}
	return ps
}

// Numbered returns the problems. If the document has only one line, Numbered removes the line numbers, because each of
// them would be 1.
func (ps Problems) Numbered() Problems {
	for _, p := range ps {
		if p.Line > 1 {
			return ps
		}
	}
	for i := range ps {
		ps[i].Line = 0
	}
	return ps
}
