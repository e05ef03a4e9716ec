package rules

import (
	"strings"
	"unicode"
)

// The type "outline" holds the headings and fenced blocks of a Markdown text.
type outline struct {
	lines    []string
	headings []heading
	fences   []fence
}

type heading struct {
	line, level int
	text        string
}

// The type "fence" is a fenced block. The field "last" is the index of its closing line, or -1 if there is none.
type fence struct {
	line, last int
	info       string
}

func outlineOf(text string) outline {
	o := outline{lines: strings.Split(text, "\n")}
	for i := 0; i < len(o.lines); i++ {
		line, ok := unindented(o.lines[i])
		if !ok {
			continue
		}
		if marker, info := fenceStart(line); marker != "" {
			last := closingFence(o.lines, i+1, marker)
			o.fences = append(o.fences, fence{line: i, last: last, info: info})
			if last < 0 {
				break
			}
			i = last
		} else if level, text := headingOf(line); level > 0 {
			o.headings = append(o.headings, heading{line: i, level: level, text: text})
		}
	}
	return o
}

// unindented() removes the indentation of a line. It returns false if the indentation has four or more spaces, because
// Markdown treats such a line as code.
func unindented(line string) (string, bool) {
	content := strings.TrimLeft(line, " ")
	return content, len(line)-len(content) < 4
}

func fenceStart(line string) (marker, info string) {
	for _, c := range []string{"`", "~"} {
		rest := strings.TrimLeft(line, c)
		if n := len(line) - len(rest); n >= 3 && (c != "`" || !strings.Contains(rest, c)) {
			return line[:n], strings.TrimSpace(rest)
		}
	}
	return "", ""
}

func closingFence(lines []string, from int, marker string) int {
	for i := from; i < len(lines); i++ {
		line, ok := unindented(lines[i])
		line = strings.TrimRight(line, " \t")
		if ok && len(line) >= len(marker) && strings.Trim(line, marker[:1]) == "" {
			return i
		}
	}
	return -1
}

// headingOf returns the level and the text of a heading. It ignores a heading without text, which cannot name a
// guideline.
func headingOf(line string) (level int, text string) {
	rest := strings.TrimLeft(line, "#")
	level = len(line) - len(rest)
	if level == 0 || level > 6 || rest == "" || rest[0] != ' ' && rest[0] != '\t' {
		return 0, ""
	}
	text = strings.TrimSpace(rest)
	if open := strings.TrimRight(text, "#"); open == "" || strings.HasSuffix(open, " ") || strings.HasSuffix(open, "\t") {
		text = strings.TrimSpace(open)
	}
	if text == "" {
		return 0, ""
	}
	return level, text
}

// firstParagraph returns the beginning of the first paragraph as one line, or "" if the text does not begin with a
// paragraph.
func firstParagraph(text string) string {
	o := outlineOf(strings.TrimSpace(text))
	if len(o.fences) > 0 && o.fences[0].line == 0 || len(o.headings) > 0 && o.headings[0].line == 0 {
		return ""
	}
	var words []string
	for _, line := range o.lines {
		if strings.TrimSpace(line) == "" {
			break
		}
		words = append(words, strings.FieldsFunc(line, isBlankOrControl)...)
	}
	return shortened(strings.Join(words, " "))
}

func isBlankOrControl(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) }

// summaryLength is the largest length of the text that firstParagraph() returns.
const summaryLength = 200

func shortened(s string) string {
	runes := []rune(s)
	if len(runes) <= summaryLength {
		return s
	}
	cut := string(runes[:summaryLength-1])
	if i := strings.LastIndexByte(cut, ' '); i > 0 {
		cut = cut[:i]
	}
	return cut + "…"
}

// slug() converts a name to a valid id, or to "" if the name has no letters or digits.
func slug(name string) string {
	var b strings.Builder
	for _, r := range strings.ToLower(name) {
		switch {
		case r >= 'a' && r <= 'z', r >= '0' && r <= '9', r == '.', r == '_':
			b.WriteRune(r)
		case b.Len() > 0 && !strings.HasSuffix(b.String(), "-"):
			b.WriteByte('-')
		}
	}
	return strings.TrimRight(strings.TrimLeft(b.String(), "._-"), "-")
}
