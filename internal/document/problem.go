package document

import (
	"strconv"
	"strings"
	"unicode"
)

// Problem is one mistake in a document: where it stands, what is wrong, and what to do about it.
type Problem struct {
	File    string `json:"file,omitempty"`
	Line    int    `json:"line,omitempty"`
	Path    string `json:"path,omitempty"`
	Message string `json:"message"`
	Remedy  string `json:"remedy,omitempty"`
}

// Error renders the problem on one line: file:line: path: message; remedy.
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

// Printable shows control characters as Go writes them, so that a file's name can neither break a line nor speak to a
// terminal.
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

// Problems is everything that is wrong with a document: first what its text shows, then what its values show, each in
// reading order.
type Problems []Problem

// MaxProblems is how many problems of one document are kept; the last one then says that there are more.
const MaxProblems = 1000

// Add appends a problem, unless there are too many already.
func (ps *Problems) Add(p Problem) {
	switch {
	case ps.full():
		return
	case len(*ps) == MaxProblems-1:
		p = Problem{File: p.File, Line: p.Line, Message: "has more mistakes than are listed", Remedy: "mend these first"}
	}
	*ps = append(*ps, p)
}

func (ps Problems) full() bool { return len(ps) >= MaxProblems }

// Excerpt quotes a value for a message, shortened when it is long.
func Excerpt(value string) string { return strconv.Quote(shorten(value)) }

// shorten keeps a message readable whatever stands in the document.
func shorten(value string) string {
	const limit = 80
	for i := range value {
		if i >= limit {
			return value[:i] + "…"
		}
	}
	return value
}

// Error lists every problem, one a line.
func (ps Problems) Error() string {
	lines := make([]string, len(ps))
	for i, p := range ps {
		lines[i] = p.Error()
	}
	return strings.Join(lines, "\n")
}

// Err is the problems as an error, or nil when there are none.
func (ps Problems) Err() error {
	if len(ps) == 0 {
		return nil
	}
	return ps
}
