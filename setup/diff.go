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

// diffLine is one line of a comparison: ' ' for an unchanged one, '-' for a removed and '+' for an added one.
type diffLine struct {
	sign     byte
	text     string
	old, new int
}

// compare compares two texts. It skips what they share at both ends, and compares the rest line by line if it is short,
// as in settings files.
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

// middle writes the longest common lines as unchanged and the others as removed or added.
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

// commonLengths returns, for every pair of lines, how many lines the two texts have in common from there on.
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

// around is the number of unchanged lines that are shown before and after changed ones.
const around = 3

// hunk is a run of lines with changes.
type hunk []diffLine

// hunks splits a comparison at long runs of unchanged lines.
func hunks(lines []diffLine) []hunk {
	var out []hunk
	end := -1
	for i := range lines {
		if lines[i].sign == ' ' {
			continue
		}
		from, to := max(i-around, 0), min(i+around+1, len(lines))
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

// span returns the first line, counted from 1, and the number of lines, in the notation of diff.
func span(first, count int) string {
	if count > 0 {
		first++
	}
	if count == 1 {
		return fmt.Sprint(first)
	}
	return fmt.Sprintf("%d,%d", first, count)
}
