package inject

import (
	"fmt"
	"slices"
	"sort"
	"strings"
)

// fitted returns the text with as many entries as there is room for. It leaves out entries that are too long by
// themselves, and then those of the lowest priority.
func (t *injection) fitted() string {
	const others = 1000 // room for the header, the headings and the last line
	kept := slices.DeleteFunc(slices.Clone(t.entries), func(e entry) bool {
		return Size(e.text()) > limit-others
	})
	if all := t.text(kept); Size(all) <= limit {
		return all
	}
	over := sort.Search(len(kept), func(n int) bool { return Size(t.text(kept[:n+1])) > limit })
	for ; over > 0 && Size(t.text(kept[:over])) > limit; over-- {
		// The last line grows with the number of entries that are left out.
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

func (e *entry) text() string {
	text := strings.Join(e.facts, "\n")
	if e.instruction != "" {
		text = strings.Join(e.ids, ", ") + ": " + e.instruction + "\n" + text
	}
	return text
}

// text writes the kept entries: first instructions, then facts about gates and tools, then suggestions.
func (t *injection) text(kept []entry) string {
	var now, lines, suggested []string
	for i := range kept {
		e := &kept[i]
		lines = append(lines, e.facts...)
		switch text := strings.Join(e.ids, ", ") + ": " + e.instruction; {
		case e.instruction == "":
		case e.suggested:
			suggested = append(suggested, text)
		default:
			now = append(now, text)
		}
	}
	blocks := append([]string{t.header}, now...)
	if len(lines) > 0 {
		blocks = append(blocks, "What asks a person first, and what is refused:\n- "+strings.Join(lines, "\n- "))
	}
	if len(suggested) > 0 {
		blocks = append(blocks, t.suggestion())
		blocks = append(blocks, suggested...)
	}
	if left := t.without(kept); len(left) > 0 {
		blocks = append(blocks, leftOut(left))
	}
	return strings.Join(blocks, "\n\n")
}

func (t *injection) suggestion() string {
	var names []string
	for _, role := range t.roles {
		names = append(names, brief(role))
	}
	return "Only suggested by the prompt's words (" + strings.Join(names, ", ") + "); none of this is enforced:"
}

// without lists the guidelines of entries that were not kept. Both lists have the same order.
func (t *injection) without(kept []entry) []string {
	var out []string
	for i := range t.entries {
		if e := &t.entries[i]; len(kept) > 0 && slices.Equal(kept[0].ids, e.ids) {
			kept = kept[1:]
		} else {
			out = append(out, e.ids[0])
		}
	}
	return out
}

// leftOut names the guidelines that did not fit, as many of them as a line can hold.
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
	return fmt.Sprintf("Guidelines left out for lack of space: %d (%s).", len(ids), list)
}
