package server

import (
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"guardrails/cli/app"
	"guardrails/server/access"
	"guardrails/store"
)

func tokenCreateCommand(a *app.App) *cobra.Command {
	var role, expires string
	var tenant *string
	c := &cobra.Command{
		Use:     "create NAME --role ROLE",
		Short:   "Make a token and show it once",
		Long:    "Create makes a token and writes it to stdout; it cannot be shown again. It is for the project's tenant, unless --tenant names another.",
		Example: "  guardrails token create ci --role decide --expires 90d",
		Args:    app.Args(1, 1, "name the token"),
		RunE: func(c *cobra.Command, args []string) error {
			return createToken(a, c, args[0], role, expires, tenant)
		},
	}
	c.Flags().StringVar(&role, "role", "", "what it may do: `ROLE` is read, decide, write or admin")
	c.Flags().StringVar(&expires, "expires", "", "how long it holds: `TIME` is a number of days, such as 90d, or of hours, such as 12h (default: until it is revoked)")
	tenant = tenantFlag(c)
	app.CompleteFlag(c, "role", access.RoleNames()...)
	return c
}

func createToken(a *app.App, c *cobra.Command, name, role, expires string, tenant *string) error {
	if err := byPerson(a, c); err != nil {
		return err
	}
	parsed, err := access.ParseRole(role)
	if err != nil {
		return app.Usagef("%s: --role: %v", c.CommandPath(), err)
	}
	lasts, err := lifetime(expires)
	if err != nil {
		return app.Usagef("%s: --expires: %v", c.CommandPath(), err)
	}
	tokens, of, err := openTokens(a, c, *tenant)
	if err != nil {
		return err
	}
	if err := store.CheckTenant(of); err != nil {
		return app.Usagef("%s: --tenant: %v", c.CommandPath(), err)
	}
	t := access.Token{Name: name, Tenant: of, Role: parsed}
	if lasts > 0 {
		t.Expires = a.Clock()().UTC().Add(lasts).Truncate(time.Second)
	}
	secret, err := tokens.Create(t)
	if err != nil {
		return app.Failf("%s: %v", c.CommandPath(), err)
	}
	r := tokenReport{Name: name, Tenant: of, Role: role, Expires: t.Expires, Token: secret}
	return a.Answer(r, func(p *app.Printer) {
		p.Line("%s", secret)
		// What a script takes from stdout is the token alone.
		_, _ = a.Stderr.Write([]byte("This is shown once. Send it as Authorization: Bearer TOKEN, and keep it in a file that only you can read.\n"))
	})
}

// lifetime reads how long a token holds; 0 is for ever.
func lifetime(text string) (time.Duration, error) {
	if text == "" {
		return 0, nil
	}
	days, isDays := strings.CutSuffix(text, "d")
	if n, err := strconv.ParseUint(days, 10, 16); isDays && err == nil && n > 0 {
		return time.Duration(n) * 24 * time.Hour, nil
	}
	if d, err := time.ParseDuration(text); err == nil && d > 0 {
		return d, nil
	}
	return 0, app.Usagef("%q is no time; write a number of days such as 90d, or of hours such as 12h", text)
}
