package store

import (
	"context"
	"errors"
	"time"

	"guardrails/cli/app"

	"github.com/spf13/cobra"

	"guardrails/internal/document"
	"guardrails/store"
)

func auditCommand(a *app.App) *cobra.Command {
	const verbs = "use list, export, verify or prune"
	c := &cobra.Command{
		Use:   "audit list|export|verify|prune",
		Short: "Read, write out and verify what was changed and decided",
		Long: `Audit is the log of the store: every change of a guideline, with who made it, and every decision about a tool call. Each
entry has the hash of the one before it, so that nobody alters or removes one unnoticed.`,
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

// atAudit is atStore for a command that reads the audit: what hooks have recorded and no server has taken in yet is taken in
// first. What cannot be is said, and the rest is shown.
func atAudit(a *app.App, c *cobra.Command, work func(ctx context.Context, b *book) error) error {
	s := a.Service()
	_, err := s.TakeIn(c.Context())
	if err = errors.Join(err, s.Close()); err != nil {
		a.Note("what the hooks recorded last is missing here: " + err.Error())
	}
	return atStore(a, c, mustExist, work)
}

// auditFlags say which entries are meant.
type auditFlags struct {
	store.AuditFilter
	from, to string
}

func (f *auditFlags) add(a *app.App, c *cobra.Command) {
	flags := c.Flags()
	flags.StringVar(&f.Guideline, "guideline", "", "only those of the guideline with this `ID`")
	flags.StringVar(&f.Event, "event", "", "only those of an `EVENT`, such as "+store.Updated)
	flags.StringVar(&f.Session, "session", "", "only those of the session with this `ID`")
	flags.StringVar(&f.Actor, "actor", "", "only those of a person, agent or program: `NAME`")
	flags.StringVar(&f.from, "from", "", "only those from this `TIME` on: 2026-02-28, or 2026-02-28T10:00:00Z")
	flags.StringVar(&f.to, "to", "", "only those before this `TIME`")
	app.CompleteFlag(c, "event", store.Created, store.Updated, store.Enabled, store.Disabled, store.Deleted, store.Restored, store.Imported, store.Pruned)
	app.Complete(c, "guideline", func(typed string) ([]string, cobra.ShellCompDirective) {
		return storedIDs(a, c, typed), cobra.ShellCompDirectiveNoFileComp
	})
}

// filter is what the flags ask for.
func (f *auditFlags) filter(c *cobra.Command) (store.AuditFilter, error) {
	filter := f.AuditFilter
	for _, flag := range []struct {
		name, text string
		into       *time.Time
	}{{"from", f.from, &filter.From}, {"to", f.to, &filter.To}} {
		at, ok := parseMoment(flag.text)
		if !ok {
			return filter, app.Usagef("%s: --%s: %s is no time; write 2026-02-28, or 2026-02-28T10:00:00Z", c.CommandPath(), flag.name, document.Excerpt(flag.text))
		}
		*flag.into = at
	}
	if !filter.To.IsZero() && !filter.From.Before(filter.To) {
		return filter, app.Usagef("%s: --from is not before --to; nothing can be in between", c.CommandPath())
	}
	return filter, nil
}

// parseMoment reads a day, which begins at midnight UTC, or a time. Empty is no time.
func parseMoment(text string) (time.Time, bool) {
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
