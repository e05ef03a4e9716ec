package setup

import (
	"fmt"
	"strings"
)

// around is how many unchanged lines are shown beside changed ones.
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
