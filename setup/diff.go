package setup

import (
	"bytes"
	"fmt"
	"strings"
)

// Diff returns a change as a unified diff with the given file name.
func (c *Change) Diff(name string) string {
	old, renewed := lines(c.Before), lines(c.After)
	var b strings.Builder
	from, to := "a/"+name, "b/"+name
	if c.Before == nil {
		from = "/dev/null"
	}
	if c.After == nil {
		to = "/dev/null"
	}
	fmt.Fprintf(&b, "--- %s\n+++ %s\n", from, to)
	for _, h := range hunks(compare(old, renewed)) {
		h.write(&b)
	}
	return b.String()
}

func lines(text []byte) []string {
	var out []string
	for line := range bytes.Lines(text) {
		out = append(out, string(line))
	}
	return out
}

// diffLine is one line of a comparison. Its sign is ' ' if the line is unchanged, '-' if it is removed, and '+' if it
// is added.
type diffLine struct {
	sign     byte
	text     string
	old, new int
}

// compare() compares two texts. It skips the lines that both texts have at the beginning and at the end. If the lines
// between them are few, as in settings files, it also compares these lines.
func compare(old, renewed []string) []diffLine {
	head := 0
	for head < len(old) && head < len(renewed) && old[head] == renewed[head] {
		head++
	}
	tail := 0
	for tail < len(old)-head && tail < len(renewed)-head && old[len(old)-1-tail] == renewed[len(renewed)-1-tail] {
		tail++
	}
	w := &diffWriter{}
	w.keep(old[:head])
	w.middle(old[head:len(old)-tail], renewed[head:len(renewed)-tail])
	w.keep(old[len(old)-tail:])
	return w.lines
}

type diffWriter struct {
	lines    []diffLine
	old, new int
}

func (w *diffWriter) put(sign byte, texts ...string) {
	for _, text := range texts {
		w.lines = append(w.lines, diffLine{sign, text, w.old, w.new})
		if sign != '+' {
			w.old++
		}
		if sign != '-' {
			w.new++
		}
	}
}

func (w *diffWriter) keep(texts []string) { w.put(' ', texts...) }

// middle() compares the lines between the equal beginning and the equal end of the texts. It marks the longest common
// sequence of lines as unchanged, and all other lines as removed or added.
func (w *diffWriter) middle(old, renewed []string) {
	const most = 4 << 20
	if len(old)*len(renewed) > most {
		w.put('-', old...)
		w.put('+', renewed...)
		return
	}
	common := commonLengths(old, renewed)
	i, j := 0, 0
	for i < len(old) && j < len(renewed) {
		switch {
		case old[i] == renewed[j]:
			w.put(' ', old[i])
			i, j = i+1, j+1
		case common[i+1][j] >= common[i][j+1]:
			w.put('-', old[i])
			i++
		default:
			w.put('+', renewed[j])
			j++
		}
	}
	w.put('-', old[i:]...)
	w.put('+', renewed[j:]...)
}

// commonLengths returns a table. Its entry [i][j] is the number of lines in the longest common sequence of old[i:] and
// renewed[j:].
func commonLengths(old, renewed []string) [][]int {
	table := make([][]int, len(old)+1)
	for i := range table {
		table[i] = make([]int, len(renewed)+1)
	}
	for i := len(old) - 1; i >= 0; i-- {
		for j := len(renewed) - 1; j >= 0; j-- {
			if old[i] == renewed[j] {
				table[i][j] = table[i+1][j+1] + 1
			} else {
				table[i][j] = max(table[i+1][j], table[i][j+1])
			}
		}
	}
	return table
}

// contextLines is the number of unchanged lines that are shown before and after changed ones.
const contextLines = 3

type hunk []diffLine

// hunks() splits a comparison at the places with many unchanged lines.
func hunks(lines []diffLine) []hunk {
	var out []hunk
	end := -1
	for i := range lines {
		if lines[i].sign == ' ' {
			continue
		}
		from, to := max(i-contextLines, 0), min(i+contextLines+1, len(lines))
		if end < from {
			out = append(out, lines[from:to])
		} else {
			last := out[len(out)-1]
			out[len(out)-1] = lines[end-len(last) : to]
		}
		end = to
	}
	return out
}

func (h hunk) write(b *strings.Builder) {
	old, renewed := 0, 0
	for _, l := range h {
		if l.sign != '+' {
			old++
		}
		if l.sign != '-' {
			renewed++
		}
	}
	fmt.Fprintf(b, "@@ -%s +%s @@\n", span(h[0].old, old), span(h[0].new, renewed))
	for _, l := range h {
		b.WriteByte(l.sign)
		b.WriteString(l.text)
		if !strings.HasSuffix(l.text, "\n") {
			b.WriteString("\n\\ No newline at end of file\n")
		}
	}
}

// span() returns the position of a hunk in the form that diff uses: the number of the first line, counted from 1, and
// the number of lines.
func span(first, count int) string {
	if count > 0 {
		first++
	}
	if count == 1 {
		return fmt.Sprint(first)
	}
	return fmt.Sprintf("%d,%d", first, count)
}
