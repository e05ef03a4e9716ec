package check

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"guardrails/cli/app"
	"guardrails/detect/pii"
	"guardrails/internal/document"
)

func piiCommand(a *app.App) *cobra.Command {
	var mask bool
	var with []string
	c := &cobra.Command{
		Use:   "pii [FILE|-]",
		Short: "Check whether a text contains personal data, and mask the data",
		Long: `Pii finds personal data in a text: IBANs, card numbers, social security numbers, e-mail addresses and phone
numbers. It also finds dates of birth, postal addresses, and the numbers of passports and driving licences, but
only next to a word that names them. Hashes, versions, ports, times and numbers that are published as samples are
not findings.

With --mask, it prints the text with a marker in place of each finding, and nothing else. --with ip also looks
for public IP addresses.`,
		Example: `  echo 'Mail anna@firma.de' | guardrails check pii
  echo 'Mail anna@firma.de from 93.184.216.34' | guardrails check pii --mask --with ip
  guardrails check pii notes.txt -o json`,
		Args: app.Args(0, 1, oneInput),
		RunE: func(c *cobra.Command, args []string) error {
			set, err := withCategories(c, with)
			if err != nil {
				return err
			}
			return runPII(a, args, set, mask)
		},
	}
	c.Flags().BoolVar(&mask, "mask", false, "print the text with markers in place of personal data")
	c.Flags().StringSliceVar(&with, "with", nil, "also look for this `KIND` of data, which is off by default: ip")
	app.CompleteFlag(c, "with", pii.IP.String())
	return c
}

// withCategories returns the categories to look for.
func withCategories(c *cobra.Command, with []string) (pii.Set, error) {
	set := pii.Default
	for _, name := range with {
		i := slices.IndexFunc(pii.Categories(), func(c pii.Category) bool { return c.String() == name })
		if i < 0 {
			return 0, app.Usagef("%s: --with: %s is not known; use ip", c.CommandPath(), document.Excerpt(name))
		}
		set = set.With(pii.Category(i))
	}
	return set, nil
}

// personalData is the answer of check pii.
type personalData struct {
	Findings []finding `json:"findings"`
	// The field "Masked" is the text with markers. It is only given with --mask.
	Masked *string `json:"masked,omitempty"`
}

// The type "finding" is one piece of personal data in the text. Start and End are offsets in characters.
type finding struct {
	Category string `json:"category"`
	Tier     int    `json:"tier"`
	Text     string `json:"text"`
	Start    int    `json:"start"`
	End      int    `json:"end"`
	Marker   string `json:"marker"`
	line     int
}

func runPII(a *app.App, args []string, set pii.Set, mask bool) error {
	content, _, err := input(a, args)
	if err != nil {
		return err
	}
	text := string(content)
	if mask && a.Format == app.Text {
		return a.Print([]byte(pii.Mask(text, set)))
	}
	out := personalData{Findings: findings(text, set)}
	if mask {
		masked := pii.Mask(text, set)
		out.Masked = &masked
	}
	return a.Answer(out, func(p *app.Printer) { showPII(p, out.Findings) })
}

func findings(text string, set pii.Set) []finding {
	out := []finding{}
	at, characters, line := 0, 0, 1
	for _, f := range pii.Find(text, set) {
		characters += utf8.RuneCountInString(text[at:f.Start])
		line += strings.Count(text[at:f.Start], "\n")
		length := utf8.RuneCountInString(text[f.Start:f.End])
		out = append(out, finding{
			f.Category.String(), f.Category.Tier(), text[f.Start:f.End], characters, characters + length, f.Category.Marker(), line,
		})
		at, characters = f.End, characters+length
	}
	return out
}

func showPII(p *app.Printer, found []finding) {
	if len(found) == 0 {
		p.Line("no personal data")
	}
	for _, f := range found {
		p.Line("%-8s %-15s %s", fmt.Sprintf("line %d", f.line), f.Category, app.Flat(f.Text))
	}
}
