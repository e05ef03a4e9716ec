package inject

import (
	"fmt"
	"slices"
	"sort"
	"strings"

	"guardrails/hooks/session"
)

// fitted() returns the text without the lines that do not fit. It first leaves out each line that is too long by
// itself, and then the lines with the lowest priority.
func (t *injection) fitted() string {
	const others = 1200 // room for the header, the headings and the last line
	kept := slices.DeleteFunc(slices.Clone(t.lines), func(l line) bool { return Size(l.text) > limit-others })
	if all := t.text(kept); Size(all) <= limit {
		return all
	}
	over := sort.Search(len(kept), func(n int) bool { return Size(t.text(kept[:n+1])) > limit })
	for ; over > 0 && Size(t.text(kept[:over])) > limit; over-- {
		// The loop is necessary because the last line, which names the omitted guidelines, becomes longer with each
		// omitted line.
	}
	return t.text(kept[:over])
}

// Size counts characters as the client does, in UTF-16 code units.
func Size(text string) int {
	n := 0
	for _, r := range text {
		n++
		if r > 0xFFFF {
			n++
		}
	}
	return n
}

func (t *injection) text(kept []line) string {
	var b strings.Builder
	b.WriteString(header)
	for p := range parts {
		heading := "\n\n" + t.heading(p)
		for i := range kept {
			if kept[i].part == p {
				b.WriteString(heading + "\n- " + kept[i].text)
				heading = ""
			}
		}
	}
	if left := t.leftOut(kept); len(left) > 0 {
		b.WriteString("\n\n" + session.LeftOutHeading + "\n- " + leftOut(left))
	}
	return b.String()
}

// leftOut returns the ids of the guidelines whose lines are not in the list "kept". This list has the same order as
// t.lines.
func (t *injection) leftOut(kept []line) []string {
	var out []string
	for i := range t.lines {
		if l := &t.lines[i]; len(kept) > 0 && kept[0] == *l {
			kept = kept[1:]
		} else if !slices.Contains(out, l.id) {
			out = append(out, l.id)
		}
	}
	return out
}

// leftOut returns a text with the number of guidelines whose lines were omitted. The text names as many of these
// guidelines as fit on a line.
func leftOut(ids []string) string {
	const limit = 300
	named := 0
	for length := 0; named < len(ids) && length+len(ids[named]) <= limit; named++ {
		length += len(ids[named]) + len(", ")
	}
	list := strings.Join(ids[:named], ", ")
	if named < len(ids) {
		list += fmt.Sprintf(" and %d more", len(ids)-named)
	}
	if len(ids) == 1 {
		return fmt.Sprintf("1 guideline (%s)", list)
	}
	return fmt.Sprintf("%d guidelines (%s)", len(ids), list)
}
