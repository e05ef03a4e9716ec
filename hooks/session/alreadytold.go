package session

import (
	"slices"
	"strings"

	"guardrails/internal/private"
)

// TaskHeading is the beginning of each heading above lines about the task of one prompt. Lines under other headings are
// about all tasks.
const TaskHeading = "For this task"

// LeftOutHeading is the heading above guidelines that did not fit. If a text has this heading, a guideline can still be
// valid although its line is not in the text.
const LeftOutHeading = "Left out for lack of space:"

// The fixed parts of the text for the model.
const (
	added   = "guardrails adds to what it said before:"
	item    = "- "
	further = "  "
	blank   = "\n\n"
)

// maxTold is the largest size of the file. If some lines do not fit in the file, the model receives these lines again.
const maxTold = 32 << 10

// Told remembers what the model of a session has received about the guidelines.
type Told struct {
	dir  *private.Dir
	name string
	text string
}

// OpenTold reads what the model has received on the main thread of a session. If the file cannot be read, the result is
// the same as if the model had received nothing.
func OpenTold(d *private.Dir, session string) *Told {
	t := &Told{dir: d, name: ToldName(session)}
	text, err := d.Read(t.name, maxTold)
	if err == nil {
		t.text = string(text)
	}
	return t
}

// ForgetTold makes the next call of Add return the whole text. It is called when the model no longer has the earlier
// text.
func ForgetTold(d *private.Dir, session string) { _, _ = d.Remove(ToldName(session)) }

// Add returns the part of a text that the model has not received yet, and records that the model knows it. If recording
// fails, the model receives the same part again later.
func (t *Told) Add(text string) string {
	say, all := unsaid(t.text, text)
	if all != t.text && t.dir.Write(t.name, []byte(all)) == nil {
		t.text = all
	}
	return say
}

// unsaid() compares a new text with the text that the model has received. It returns the new part ("say"), and
// everything that the model knows after it has read the new part ("all").
func unsaid(told, text string) (say, all string) {
	if told == "" || text == "" {
		return text, text + told
	}
	before, now := outlineOf(told), outlineOf(text)
	if len(now.sections) == 0 {
		if before.header == now.header {
			return "", told
		}
		before.header = now.header
		return text, before.text()
	}
	say = now.changes(before)
	if now.addTasks(before); len(now.text()) > maxTold {
		now = outlineOf(text)
	}
	if len(say) > len(text) {
		say = text
	}
	return say, now.text()
}

// The type "outline" is a text for the model: a first paragraph, and lists of lines under headings.
type outline struct {
	header   string
	sections []section
}

type section struct {
	heading string
	items   []string
}

func (s *section) isTask() bool { return strings.HasPrefix(s.heading, TaskHeading) }

// outlineOf parses a text. A line that neither starts nor continues a list item is a heading.
func outlineOf(text string) outline {
	var o outline
	header, rest, _ := strings.Cut(text, blank)
	o.header = strings.TrimRight(header, "\n")
	for _, line := range strings.Split(rest, "\n") {
		last := len(o.sections) - 1
		switch {
		case line == "":
		case last >= 0 && strings.HasPrefix(line, item):
			o.sections[last].items = append(o.sections[last].items, line)
		case last >= 0 && strings.HasPrefix(line, further) && len(o.sections[last].items) > 0:
			items := o.sections[last].items
			items[len(items)-1] += "\n" + line
		default:
			o.sections = append(o.sections, section{heading: line})
		}
	}
	return o
}

func (o *outline) text() string {
	var b strings.Builder
	b.WriteString(o.header)
	for i := range o.sections {
		o.sections[i].write(&b)
	}
	return b.String()
}

func (s *section) write(b *strings.Builder) {
	b.WriteString(blank)
	b.WriteString(s.heading)
	for _, line := range s.items {
		b.WriteString("\n")
		b.WriteString(line)
	}
}

// knows() returns a function that reports whether the outline contains a line under the heading of the given section.
// For a section about a task, any heading about a task counts.
func (o *outline) knows(like *section) func(line string) bool {
	return func(line string) bool {
		return slices.ContainsFunc(o.sections, func(s section) bool {
			return (s.heading == like.heading || s.isTask() && like.isTask()) && slices.Contains(s.items, line)
		})
	}
}

func (o *outline) isCut() bool {
	return slices.ContainsFunc(o.sections, func(s section) bool { return s.heading == LeftOutHeading })
}

// changes() compares the outline with an earlier one. It returns the lines that are new, and the earlier lines that are
// no longer valid.
func (o *outline) changes(before outline) string {
	out := outline{header: added}
	if o.header != before.header {
		out.header = o.header
	}
	for i := range o.sections {
		s := o.sections[i]
		out.add(s, before.knows(&s))
	}
	for i := range before.sections {
		if s := before.sections[i]; !s.isTask() && s.heading != LeftOutHeading && !o.isCut() {
			known := o.knows(&before.sections[i])
			s.heading = `Removed from "` + strings.TrimSuffix(s.heading, ":") + `":`
			out.add(s, known)
		}
	}
	if len(out.sections) == 0 && out.header == added {
		return ""
	}
	return out.text()
}

// add() adds a section to the outline, without the lines for which known() returns true. It merges the section with the
// last section if both sections have the same heading.
func (o *outline) add(s section, known func(string) bool) {
	s.items = slices.DeleteFunc(slices.Clone(s.items), known)
	last := len(o.sections) - 1
	switch {
	case len(s.items) == 0:
	case last >= 0 && o.sections[last].heading == s.heading:
		o.sections[last].items = append(o.sections[last].items, s.items...)
	default:
		o.sections = append(o.sections, s)
	}
}

// addTasks takes the lines about tasks from an earlier outline and adds them to this outline, because the model still
// knows these lines.
func (o *outline) addTasks(before outline) {
	for i := range before.sections {
		if s := before.sections[i]; s.isTask() {
			o.add(s, o.knows(&s))
		}
	}
}
