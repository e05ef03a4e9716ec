package guideline

import (
	"errors"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"guardrails/guideline/pattern"
	"guardrails/internal/document"
)

func (d decoder) id(into *string, n *node, path string) {
	before := len(d.Problems)
	s := d.String(n, path, false)
	if len(d.Problems) > before {
		return
	}
	if !ValidID(s) {
		d.Report(n, path, document.Excerpt(s)+" is not an id",
			"use a-z, 0-9, dot, underscore and hyphen, starting with a letter or digit, at most 128 characters")
		return
	}
	*into = s
}

// ValidID reports whether s can be the id of a guideline.
func ValidID(s string) bool {
	if s == "" || len(s) > MaxIDLength {
		return false
	}
	for i := range len(s) {
		c := s[i]
		alnum := c >= 'a' && c <= 'z' || c >= '0' && c <= '9'
		if !alnum && (i == 0 || strings.IndexByte("._-", c) < 0) {
			return false
		}
	}
	return true
}

// DecodeProjectID reads the id of a project.
func DecodeProjectID(d *document.Decoder, n *document.Node, path string) (id string) {
	decoder{d}.text(&id, n, path, 0, MaxProjectID)
	return id
}

// text() reads a string that must be one line.
func (d decoder) text(into *string, n *node, path string, low, high int) {
	d.limited(into, n, path, low, high, false)
}

// lines() reads a string that may have several lines.
func (d decoder) lines(into *string, n *node, path string, high int) {
	d.limited(into, n, path, 0, high, true)
}

func (d decoder) limited(into *string, n *node, path string, low, high int, multiline bool) {
	if n.Kind == document.Null && low == 0 {
		return
	}
	before := len(d.Problems)
	s := d.String(n, path, multiline)
	if len(d.Problems) > before {
		return
	}
	size := len(s)
	if size > high {
		size = utf8.RuneCountInString(s)
	}
	switch {
	case size < low:
		d.Report(n, path, "is empty", "write a value")
	case size > high:
		d.Report(n, path, tooMany(size, high, "characters"), "shorten it")
	default:
		*into = s
	}
}

func tooMany(have, most int, of string) string {
	return "has " + strconv.Itoa(have) + " " + of + ", but the limit is " + strconv.Itoa(most)
}

func (d decoder) boolean(into *bool, n *node, path string) {
	if n.Kind != document.Null {
		*into = d.Bool(n, path)
	}
}

// flag() reads an optional boolean into a variable. If the boolean is missing, the variable stays nil.
func (d decoder) flag(into **bool, n *node, path string) {
	if n.Kind != document.Null {
		*into = new(bool)
		**into = d.Bool(n, path)
	}
}

func (d decoder) number(into *int, n *node, path string, high int) {
	if n.Kind != document.Null {
		*into = d.Int(n, path, 0, high)
	}
}

func choice[T ~string](d decoder, into *T, n *node, path string, choices []T) {
	for _, c := range choices {
		if n.Kind == document.String && n.Text == string(c) {
			*into = c
			return
		}
	}
	names := make([]string, len(choices))
	for i, c := range choices {
		names[i] = string(c)
	}
	*into = T(d.Choice(n, path, names))
}

// word() checks one of the strings that a condition compares with a field of the context.
func word(s string) error {
	if size := utf8.RuneCountInString(s); size > MaxNameLength {
		return &pattern.Error{Message: tooMany(size, MaxNameLength, "characters"), Remedy: "shorten it"}
	}
	return nil
}

func glob(s string) error { _, err := pattern.CompileGlob(s); return err }

func toolPattern(s string) error { _, err := pattern.CompileTool(s); return err }

// checked() reads a list of strings. It reports a problem for each string for which check() returns an error.
func (d decoder) checked(into *[]string, n *node, path string, check func(string) error) {
	if n.Kind == document.Null {
		return
	}
	if len(n.Items) > MaxListItems {
		d.Report(n, path, tooMany(len(n.Items), MaxListItems, "items"), "split the guideline")
		return
	}
	*into = d.StringsWhere(n, path, func(s string) (message, remedy string) {
		if bad, found := errors.AsType[*pattern.Error](check(s)); found {
			return bad.Message, bad.Remedy
		}
		return "", ""
	})
}

func (d decoder) free(into *map[string]any, n *node, path string) {
	if n.Kind != document.Null {
		*into = d.Map(n, path)
	}
}

func (d decoder) time(into *time.Time, n *node, path string) {
	if n.Kind == document.Null {
		return
	}
	before := len(d.Problems)
	s := d.String(n, path, false)
	if len(d.Problems) > before {
		return
	}
	t, ok := document.ParseTime(s)
	if !ok {
		d.Report(n, path, document.Excerpt(s)+" is not a time", "write it as 2026-01-31T12:00:00Z")
		return
	}
	*into = t
}
