package store

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"guardrails/cli/app"
)

func auditSplitCommand(a *app.App) *cobra.Command {
	return segmentsCommand(a, &cobra.Command{
		Use:   "split",
		Short: "Split the audit on Elasticsearch into segments",
		Long: `Split divides the audit of a store on Elasticsearch or OpenSearch into segments. Each segment is an index. A new
segment begins when the newest one is large or old. Servers then remove old decisions by whole segments. Stores
that this version has created are split already. Everybody can use the store while the command runs. Afterwards,
earlier versions of guardrails can no longer use the store, and say so. If the command is interrupted, run it
again.`,
		Example: `  guardrails audit split --yes`,
	}, "The audit of %s will be split into segments. Earlier versions of guardrails can then no longer use this store. Continue?",
		"the audit is split into segments", (*projectStore).Split)
}

func auditJoinCommand(a *app.App) *cobra.Command {
	return segmentsCommand(a, &cobra.Command{
		Use:   "join",
		Short: "Join the segments of the audit on Elasticsearch into one index",
		Long: `Join copies all segments of the audit into one index, so that an earlier version of guardrails can use the store
again. Programs can read and write while the command runs. Only while it copies the last entries, usually for some
seconds, changes fail, and hooks keep their records. If the command is interrupted, run it again.`,
		Example: `  guardrails audit join --yes`,
	}, "The segments of the audit of %s will be joined. While the last entries are copied, nothing can be changed. Continue?",
		"the audit is one index", (*projectStore).Join)
}

// segmentsCommand completes a command that changes how the audit is stored. The parameter "question" is a text that
// contains %s. In the text, %s is replaced with the location of the store.
func segmentsCommand(
	a *app.App, c *cobra.Command, question, done string, change func(s *projectStore, ctx context.Context) error,
) *cobra.Command {
	var yes bool
	c.Args = app.Args(0, 0, "it takes only flags")
	c.Flags().BoolVarP(&yes, "yes", "y", false, "do not ask for confirmation")
	c.RunE = func(c *cobra.Command, _ []string) error {
		return changeStore(a, c, mustExist, func(ctx context.Context, s *projectStore) error {
			switch {
			case yes:
			case !a.Interactive:
				return app.Usagef("%s: stdin is not a terminal; pass --yes to confirm", c.CommandPath())
			case !a.Confirm(fmt.Sprintf(question, s.place)):
				return app.Failf("%s: nothing was changed", c.CommandPath())
			}
			if err := change(s, ctx); err != nil {
				return err
			}
			return a.Answer(map[string]string{"audit": done}, func(p *app.Printer) { p.Line("%s", done) })
		})
	}
	return c
}
