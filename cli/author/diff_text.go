package author

import (
	"strings"

	"guardrails/cli/app"
)

// shownQuestions is how many of the questions with the same change people see.
const shownQuestions = 3

func printComparison(p *app.Printer, c *comparison) {
	for _, id := range c.Guidelines.Removed {
		p.Line("%s %s", p.Paint(app.Red, "removed"), id)
	}
	for _, id := range c.Guidelines.Added {
		p.Line("%s   %s", p.Paint(app.Green, "added"), id)
	}
	for _, g := range c.Guidelines.Changed {
		p.Line("%s %s (%s)", p.Paint(app.Yellow, "changed"), g.ID, strings.Join(g.Fields, ", "))
	}
	for i := range c.Changes {
		printChange(p, &c.Changes[i])
	}
	if !c.Guidelines.none() || len(c.Changes) > 0 {
		p.WriteByte('\n')
	}
	asked := app.Count(c.Compared, "question") + " asked"
	if c.Truncated {
		asked += " (there are more; give those that matter by --contexts)"
	}
	p.Line("%s, %s in the answers", asked, app.Count(len(c.Changes), "change"))
}

func printChange(p *app.Printer, c *change) {
	p.Line("\n%s", p.Paint(app.Bold, "in "+app.Count(len(c.Questions), "question")))
	for i := range c.Questions {
		if i == shownQuestions {
			p.Line("  and %d more", len(c.Questions)-i)
			break
		}
		p.Line("  %s", c.Questions[i].label())
	}
	for _, d := range c.Differences {
		switch {
		case d.Added == "":
			p.Line("    %s %s: %s", p.Paint(app.Red, "-"), d.Part, d.Removed)
		case d.Removed == "":
			p.Line("    %s %s: %s", p.Paint(app.Green, "+"), d.Part, d.Added)
		default:
			p.Line("    %s %s: %s, was %s", p.Paint(app.Yellow, "~"), d.Part, d.Added, d.Removed)
		}
	}
}
