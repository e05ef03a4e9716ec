package main

import "strings"

// shownQuestions is how many of the questions with the same change people see.
const shownQuestions = 3

func (p *printer) comparison(c *comparison) {
	for _, id := range c.Guidelines.Removed {
		p.line("%s %s", p.paint(red, "removed"), id)
	}
	for _, id := range c.Guidelines.Added {
		p.line("%s   %s", p.paint(green, "added"), id)
	}
	for _, g := range c.Guidelines.Changed {
		p.line("%s %s (%s)", p.paint(yellow, "changed"), g.ID, strings.Join(g.Fields, ", "))
	}
	for i := range c.Changes {
		p.change(&c.Changes[i])
	}
	if !c.Guidelines.none() || len(c.Changes) > 0 {
		p.WriteByte('\n')
	}
	asked := count(c.Compared, "question") + " asked"
	if c.Truncated {
		asked += " (there are more; give those that matter by --contexts)"
	}
	p.line("%s, %s in the answers", asked, count(len(c.Changes), "change"))
}

func (p *printer) change(c *change) {
	p.line("\n%s", p.paint(bold, "in "+count(len(c.Questions), "question")))
	for i := range c.Questions {
		if i == shownQuestions {
			p.line("  and %d more", len(c.Questions)-i)
			break
		}
		p.line("  %s", c.Questions[i].label())
	}
	for _, d := range c.Differences {
		switch {
		case d.Added == "":
			p.line("    %s %s: %s", p.paint(red, "-"), d.Part, d.Removed)
		case d.Removed == "":
			p.line("    %s %s: %s", p.paint(green, "+"), d.Part, d.Added)
		default:
			p.line("    %s %s: %s, was %s", p.paint(yellow, "~"), d.Part, d.Added, d.Removed)
		}
	}
}
