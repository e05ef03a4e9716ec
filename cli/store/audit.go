package store

import (
	"time"

	"github.com/spf13/cobra"

	"guardrails/cli/app"
	"guardrails/internal/document"
	"guardrails/store"
)

func auditCommand(a *app.App) *cobra.Command {
	const verbs = "use list, export, verify or prune"
	c := &cobra.Command{
		Use:   "audit list|export|verify|prune",
		Short: "Show, export, verify or prune the log of changes and decisions",
		Long: `The audit is the log of the store. It has every change of a guideline, with who made it, and every
decision about a tool call. Each entry contains the hash of the entry before it, so that altered and removed
entries are noticed.`,
		Example: `  guardrails audit list --guideline no-push
  guardrails audit verify`,
		Args: app.Args(1, 1, verbs),
		RunE: func(c *cobra.Command, args []string) error {
			return app.Usagef("%s: there is no command %s; %s", c.CommandPath(), document.Excerpt(args[0]), verbs)
		},
	}
	c.AddCommand(auditListCommand(a), auditExportCommand(a), auditVerifyCommand(a), auditPruneCommand(a))
	return c
}

// auditFlags are the flags that select entries of the audit.
type auditFlags struct {
	store.AuditFilter
	from, to string
}

func (f *auditFlags) add(a *app.App, c *cobra.Command) {
	flags := c.Flags()
	flags.StringVar(&f.Guideline, "guideline", "", "only entries about the guideline with this `ID`")
	flags.StringVar(&f.Event, "event", "", "only entries of this `EVENT`, such as "+store.Updated)
	flags.StringVar(&f.Session, "session", "", "only entries of the session with this `ID`")
	flags.StringVar(&f.Actor, "actor", "", "only entries of this person, agent or program (`NAME`)")
	flags.StringVar(&f.from, "from", "", "only entries at or after this `TIME`: 2026-02-28 or 2026-02-28T10:00:00Z")
	flags.StringVar(&f.to, "to", "", "only entries before this `TIME`")
	app.CompleteFlag(c, "event", store.Created, store.Updated, store.Enabled, store.Disabled, store.Deleted,
		store.Restored, store.Imported, store.Pruned)
	app.Complete(c, "guideline", func(typed string) ([]string, cobra.ShellCompDirective) {
		return idsInForce(a, c, typed), cobra.ShellCompDirectiveNoFileComp
	})
}

func (f *auditFlags) filter(c *cobra.Command) (store.AuditFilter, error) {
	filter := f.AuditFilter
	for _, flag := range []struct {
		name, text string
		into       *time.Time
	}{{"from", f.from, &filter.From}, {"to", f.to, &filter.To}} {
		at, ok := parseTime(flag.text)
		if !ok {
			return filter, app.Usagef("%s: --%s: %s is not a time; write 2026-02-28 or 2026-02-28T10:00:00Z",
				c.CommandPath(), flag.name, document.Excerpt(flag.text))
		}
		*flag.into = at
	}
	if !filter.To.IsZero() && !filter.From.Before(filter.To) {
		return filter, app.Usagef("%s: --from must be before --to", c.CommandPath())
	}
	return filter, nil
}

// parseTime reads a time or a day. A day means its midnight in UTC. An empty text means the zero time.
func parseTime(text string) (time.Time, bool) {
	if text == "" {
		return time.Time{}, true
	}
	for _, layout := range []string{time.DateOnly, time.RFC3339} {
		if at, err := time.Parse(layout, text); err == nil {
			return at.UTC(), true
		}
	}
	return time.Time{}, false
}
