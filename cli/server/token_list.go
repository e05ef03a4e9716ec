package server

import (
	"cmp"
	"time"

	"github.com/spf13/cobra"

	"guardrails/cli/app"
)

func tokenListCommand(a *app.App) *cobra.Command {
	var tenant *string
	c := &cobra.Command{
		Use:     "list",
		Short:   "Show the tokens that there are",
		Long:    "List shows names, roles and ends of the tokens of the project's tenant, or of --tenant; never the tokens.",
		Example: "  guardrails token list -o json",
		Args:    app.Args(0, 0, "it takes flags only"),
		RunE:    func(c *cobra.Command, _ []string) error { return listTokens(a, c, *tenant) },
	}
	tenant = tenantFlag(c)
	return c
}

// tokenReport is a token as it is shown; the token itself only when it is made.
type tokenReport struct {
	Name    string    `json:"name"`
	Tenant  string    `json:"tenant"`
	Role    string    `json:"role"`
	Created time.Time `json:"created,omitzero"`
	Expires time.Time `json:"expires,omitzero"`
	Problem string    `json:"problem,omitempty"`
	Token   string    `json:"token,omitempty"`
}

func listTokens(a *app.App, c *cobra.Command, tenant string) error {
	tokens, of, err := openTokens(a, c, tenant)
	if err != nil {
		return err
	}
	list, err := tokens.List(of)
	if err != nil {
		return app.Failf("%s: %v", c.CommandPath(), err)
	}
	out := []tokenReport{}
	for i := range list {
		t := &list[i]
		r := tokenReport{Name: t.Name, Tenant: of, Role: t.Role.String(), Created: t.Created, Expires: t.Expires, Problem: t.Damage}
		if t.Expired(a.Clock()()) {
			r.Problem = "has ended"
		}
		out = append(out, r)
	}
	return a.Answer(out, func(p *app.Printer) { printTokens(p, out) })
}

func printTokens(p *app.Printer, list []tokenReport) {
	if len(list) == 0 {
		p.Line("There are no tokens beside the first one.")
	}
	for i := range list {
		r := &list[i]
		end := "until it is revoked"
		if !r.Expires.IsZero() {
			end = "until " + r.Expires.UTC().Format("2006-01-02 15:04 UTC")
		}
		if r.Problem != "" {
			end = p.Paint(app.Yellow, app.Flat(r.Problem))
		}
		p.Line("%-24s %-8s %s", app.Flat(cmp.Or(r.Name, "?")), r.Role, end)
	}
}
