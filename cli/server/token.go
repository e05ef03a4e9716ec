package server

import (
	"github.com/spf13/cobra"

	"guardrails/cli/app"
	"guardrails/internal/private"
	"guardrails/internal/product"
	"guardrails/server/access"
)

func tokenCommand(a *app.App) *cobra.Command {
	c := &cobra.Command{
		Use:   "token create|list|revoke",
		Short: "Make, list and revoke tokens for the server",
		Long: `Token says who may ask a server on this computer. Each token has a name, which the audit shows, a tenant, whose guidelines
alone it sees, and a role, which may what those before it may:

  read    see guidelines and the audit
  decide  ask what holds for a task, and log decisions
  write   create, change, switch and delete guidelines
  admin   import, prune and manage

A token is shown once; only its hash is kept, in the state folder. A running server knows of a new or revoked token at once.
The first token, which "guardrails serve" makes, is an admin's of the project's tenant.`,
		Example: `  guardrails token list`,
		Args:    app.Args(1, 1, "use create, list or revoke"),
		RunE: func(c *cobra.Command, args []string) error {
			return app.Usagef("%s: there is no command %q; use create, list or revoke", c.CommandPath(), args[0])
		},
	}
	c.AddCommand(tokenCreateCommand(a), tokenListCommand(a), tokenRevokeCommand(a))
	return c
}

// tenantFlag lets a command name a tenant.
func tenantFlag(c *cobra.Command) *string {
	return c.Flags().String("tenant", "", "whose guidelines it sees: `TENANT` (default: the project's)")
}

// tokens are the tokens of this user, and the tenant that is meant.
func openTokens(a *app.App, c *cobra.Command, tenant string) (*access.Tokens, string, error) {
	if !c.Flags().Changed("tenant") {
		settings, err := a.Config()
		if err != nil {
			return nil, "", app.Failf("%s: the project's tenant is not known: %v", c.CommandPath(), err)
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

// byPerson refuses what only a person may do in the shell of an agent.
func byPerson(a *app.App, c *cobra.Command) error {
	if product.IsAgentShell(a.Env) {
		return app.Failf("%s: this shell is an agent's (CLAUDECODE is set), and who may ask a server is a person's to say; run it in a terminal of your own", c.CommandPath())
	}
	return nil
}

func tokenRevokeCommand(a *app.App) *cobra.Command {
	var tenant *string
	c := &cobra.Command{
		Use:     "revoke NAME",
		Short:   "End a token at once",
		Long:    "Revoke ends a token of the project's tenant, or of --tenant. Whoever has it is refused from the next question on.",
		Example: "  guardrails token revoke ci",
		Args:    app.Args(1, 1, "name the token"),
		RunE: func(c *cobra.Command, args []string) error {
			if err := byPerson(a, c); err != nil {
				return err
			}
			tokens, of, err := openTokens(a, c, *tenant)
			if err != nil {
				return err
			}
			if err := tokens.Revoke(of, args[0]); err != nil {
				return app.Failf("%s: %v", c.CommandPath(), err)
			}
			return a.Answer(map[string]string{"name": args[0], "tenant": of, "state": "revoked"}, func(p *app.Printer) { p.Line("The token %s is revoked.", app.Flat(args[0])) })
		},
	}
	tenant = tenantFlag(c)
	return c
}
