package server

import (
	"cmp"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"guardrails/cli/app"
	"guardrails/internal/document"
	"guardrails/internal/private"
	"guardrails/server/access"
	"guardrails/store"
)

func tokenCommand(a *app.App) *cobra.Command {
	const verbs = "use create, list or revoke"
	c := &cobra.Command{
		Use:   "token create|list|revoke",
		Short: "Create, list and revoke tokens for the server",
		Long: `A token lets a caller use the server on this computer. The audit shows the name of the token. The caller
sees the guidelines of the token's tenant, and can do what its role allows. Each role includes the
roles before it:

  read    see guidelines and the audit
  decide  ask which guidelines apply to a task, and record decisions
  write   create, change, toggle and delete guidelines
  admin   import guidelines, verify the audit, and manage webhooks and tokens

A token is shown once, when it is created; the state folder has only its hash. A running server notices new
and revoked tokens at once. The first token, which "guardrails serve" creates, is an admin of the project's
tenant.`,
		Example: `  guardrails token list`,
		Args:    app.Args(1, 1, verbs),
		RunE: func(c *cobra.Command, args []string) error {
			return app.Usagef("%s: there is no command %s; %s", c.CommandPath(), document.Excerpt(args[0]), verbs)
		},
	}
	c.AddCommand(tokenCreateCommand(a), tokenListCommand(a), tokenRevokeCommand(a))
	return c
}

// tenantFlag adds a flag that names a tenant.
func tenantFlag(c *cobra.Command) *string {
	return c.Flags().String("tenant", "", "use this `TENANT` (default: the project's)")
}

// openTokens returns this user's tokens. It also returns the tenant from the flag or, without the flag, the project's
// tenant.
func openTokens(a *app.App, c *cobra.Command, tenant string) (*access.Tokens, string, error) {
	if !c.Flags().Changed("tenant") {
		settings, err := a.Config()
		if err != nil {
			return nil, "", app.Failf("%s: cannot find the project's tenant: %v", c.CommandPath(), err)
		}
		tenant = settings.Tenant
	}
	state, err := private.StateDir(a.Env)
	if err != nil {
		return nil, "", app.Failf("%s: %v", c.CommandPath(), err)
	}
	tokens, err := access.OpenTokens(state, a.Clock())
	if err != nil {
		return nil, "", app.Failf("%s: %v", c.CommandPath(), err)
	}
	return tokens, tenant, nil
}

func requirePerson(a *app.App, c *cobra.Command) error {
	return a.RequirePerson(c, "only the user decides who may use the server")
}

// tokenReport describes a token. Only the answer of "guardrails token create" contains the token itself.
type tokenReport struct {
	Name    string    `json:"name"`
	Tenant  string    `json:"tenant"`
	Role    string    `json:"role"`
	Created time.Time `json:"created,omitzero"`
	Expires time.Time `json:"expires,omitzero"`
	Problem string    `json:"problem,omitempty"`
	Token   string    `json:"token,omitempty"`
}

func tokenCreateCommand(a *app.App) *cobra.Command {
	var role, expires string
	var tenant *string
	c := &cobra.Command{
		Use:   "create NAME --role ROLE",
		Short: "Create a token and show it once",
		Long: `Create makes a token and writes it to stdout. The token cannot be shown again. It is for the
project's tenant, unless --tenant names another tenant.`,
		Example: "  guardrails token create ci --role decide --expires 90d",
		Args:    app.Args(1, 1, "name the token"),
		RunE: func(c *cobra.Command, args []string) error {
			return createToken(a, c, args[0], role, expires, tenant)
		},
	}
	c.Flags().StringVar(&role, "role", "", "what the token may do: `ROLE` is read, decide, write or admin")
	c.Flags().StringVar(&expires, "expires", "",
		"when the token ends: `TIME` is a number of days or hours, such as 90d or 12h (default: never)")
	tenant = tenantFlag(c)
	app.CompleteFlag(c, "role", access.RoleNames()...)
	return c
}

func createToken(a *app.App, c *cobra.Command, name, role, expires string, tenant *string) error {
	if err := requirePerson(a, c); err != nil {
		return err
	}
	parsed, err := access.ParseRole(role)
	if err != nil {
		return app.Usagef("%s: --role: %v", c.CommandPath(), err)
	}
	lifetime, ok := parseLifetime(expires)
	if !ok {
		return app.Usagef("%s: --expires: %s is not a time; write a number of days or hours, such as 90d or 12h",
			c.CommandPath(), document.Excerpt(expires))
	}
	tokens, owner, err := openTokens(a, c, *tenant)
	if err != nil {
		return err
	}
	if err := store.CheckTenant(owner); err != nil {
		return app.Usagef("%s: --tenant: %v", c.CommandPath(), err)
	}
	t := access.Token{Name: name, Tenant: owner, Role: parsed}
	if lifetime > 0 {
		t.Expires = a.Clock()().UTC().Add(lifetime).Truncate(time.Second)
	}
	secret, err := tokens.Create(t)
	if err != nil {
		return app.Failf("%s: %v", c.CommandPath(), err)
	}
	r := tokenReport{Name: name, Tenant: owner, Role: role, Expires: t.Expires, Token: secret}
	return a.Answer(r, func(p *app.Printer) {
		p.Line("%s", secret)
		// stdout gets only the token, so scripts can read it.
		_, _ = a.Stderr.Write([]byte("This token is shown only once. " +
			"Send it as \"Authorization: Bearer TOKEN\", and keep it in a file that only you can read.\n"))
	})
}

// parseLifetime reads a number of days, or a duration. An empty text is 0, which means forever.
func parseLifetime(text string) (d time.Duration, ok bool) {
	if text == "" {
		return 0, true
	}
	days, isDays := strings.CutSuffix(text, "d")
	if n, err := strconv.ParseUint(days, 10, 16); isDays && err == nil && n > 0 {
		return time.Duration(n) * 24 * time.Hour, true
	}
	d, err := time.ParseDuration(text)
	return d, err == nil && d > 0
}

func tokenListCommand(a *app.App) *cobra.Command {
	var tenant *string
	c := &cobra.Command{
		Use:   "list",
		Short: "List the tokens",
		Long: `List shows the name, the role and the end of each token of the project's tenant, or of --tenant. It never
shows the tokens themselves.`,
		Example: "  guardrails token list -o json",
		Args:    app.Args(0, 0, "it takes only flags"),
		RunE:    func(c *cobra.Command, _ []string) error { return listTokens(a, c, *tenant) },
	}
	tenant = tenantFlag(c)
	return c
}

func listTokens(a *app.App, c *cobra.Command, tenant string) error {
	tokens, owner, err := openTokens(a, c, tenant)
	if err != nil {
		return err
	}
	list, err := tokens.List(owner)
	if err != nil {
		return app.Failf("%s: %v", c.CommandPath(), err)
	}
	out := []tokenReport{}
	for i := range list {
		t := &list[i]
		r := tokenReport{
			Name: t.Name, Tenant: owner, Role: t.Role.String(),
			Created: t.Created, Expires: t.Expires, Problem: t.Damage,
		}
		if t.Expired(a.Clock()()) {
			r.Problem = "has expired"
		}
		out = append(out, r)
	}
	return a.Answer(out, func(p *app.Printer) { printTokens(p, out) })
}

func printTokens(p *app.Printer, list []tokenReport) {
	if len(list) == 0 {
		p.Line("There are no tokens besides the server's own.")
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

func tokenRevokeCommand(a *app.App) *cobra.Command {
	var tenant *string
	c := &cobra.Command{
		Use:     "revoke NAME",
		Short:   "Revoke a token",
		Long:    "Revoke ends a token of the project's tenant, or of --tenant. From then on, the server refuses the token.",
		Example: "  guardrails token revoke ci",
		Args:    app.Args(1, 1, "name the token"),
		RunE:    func(c *cobra.Command, args []string) error { return revokeToken(a, c, args[0], *tenant) },
	}
	tenant = tenantFlag(c)
	return c
}

func revokeToken(a *app.App, c *cobra.Command, name, tenant string) error {
	if err := requirePerson(a, c); err != nil {
		return err
	}
	tokens, owner, err := openTokens(a, c, tenant)
	if err != nil {
		return err
	}
	if err := tokens.Revoke(owner, name); err != nil {
		return app.Failf("%s: %v", c.CommandPath(), err)
	}
	answer := map[string]string{"name": name, "tenant": owner, "state": "revoked"}
	return a.Answer(answer, func(p *app.Printer) { p.Line("Revoked the token %s.", app.Flat(name)) })
}
