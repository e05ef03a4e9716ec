package compare

import (
	"strconv"
	"strings"

	"guardrails/decide/explain"
)

const shownQuestions = 3

// Text describes the comparison for a person. The function paint() formats a part of the text, for example with a
// color.
func (c *Comparison) Text(paint func(explain.Style, string) string) string {
	t := &text{paint: paint}
	for _, id := range c.Guidelines.Removed {
		t.line(paint(explain.Bad, "removed") + " " + id)
	}
	for _, id := range c.Guidelines.Added {
		t.line(paint(explain.Good, "added") + "   " + id)
	}
	for _, g := range c.Guidelines.Changed {
		t.line(paint(explain.Caution, "changed") + " " + g.ID + " (" + strings.Join(g.Fields, ", ") + ")")
	}
	for i := range c.Changes {
		t.change(&c.Changes[i])
	}
	if c.Differ() {
		t.line("")
	}
	asked := count(c.Compared, "question") + " asked"
	if c.Truncated {
		asked += " (there are more; list the contexts that matter with --contexts)"
	}
	t.line(asked + ", " + count(len(c.Changes), "change") + " in the answers")
	return t.String()
}

type text struct {
	strings.Builder
	paint func(explain.Style, string) string
}

func (t *text) line(s string) { t.WriteString(s + "\n") }

func (t *text) change(c *Change) {
	t.line("\n" + t.paint(explain.Title, "in "+count(len(c.Questions), "question")))
	for i := range c.Questions {
		if i == shownQuestions {
			t.line("  and " + strconv.Itoa(len(c.Questions)-i) + " more")
			break
		}
		t.line("  " + c.Questions[i].label())
	}
	for _, d := range c.Differences {
		switch {
		case d.Added == "":
			t.line("    " + t.paint(explain.Bad, "-") + " " + d.Part + ": " + d.Removed)
		case d.Removed == "":
			t.line("    " + t.paint(explain.Good, "+") + " " + d.Part + ": " + d.Added)
		default:
			t.line("    " + t.paint(explain.Caution, "~") + " " + d.Part + ": " + d.Added + ", was " + d.Removed)
		}
	}
}

func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return strconv.Itoa(n) + " " + noun + "s"
}
