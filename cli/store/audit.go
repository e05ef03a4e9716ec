package store

import (
	"cmp"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"guardrails/cli/app"
	"guardrails/internal/document"
	"guardrails/store"
)

func auditCommand(a *app.App) *cobra.Command {
	const verbs = "use list, export, verify, heads, key, accept, prune, split or join"
	c := &cobra.Command{
		Use:   "audit list|export|verify|heads|key|accept|prune|split|join",
		Short: "Show, export, verify or prune the log of changes and decisions",
		Long: `The audit is the log of the store. It contains every change of a guideline with the author's name, and every
decision about a tool call. Each entry contains the hash of the entry before it, so that altered and removed
entries are noticed.`,
		Example: `  guardrails audit list --guideline no-push
  guardrails audit verify`,
		Args: app.Args(1, 1, verbs),
		RunE: func(c *cobra.Command, args []string) error {
			return app.Usagef("%s: there is no command %s; %s", c.CommandPath(), document.Excerpt(args[0]), verbs)
		},
	}
	c.AddCommand(auditListCommand(a), auditExportCommand(a), auditVerifyCommand(a), auditHeadsCommand(a),
		auditKeyCommand(a), auditAcceptCommand(a), auditPruneCommand(a), auditSplitCommand(a), auditJoinCommand(a))
	return c
}

// auditFlags are the flags that select entries of the audit. The map "values" contains the texts that were given
// for the filters. Its keys are the names of the filters.
type auditFlags struct{ values map[string]*string }

func (f *auditFlags) add(a *app.App, c *cobra.Command) {
	f.values = map[string]*string{}
	other := map[string]string{}
	for _, field := range store.AuditFields() {
		f.values[field.Name] = c.Flags().String(field.Flag, "", flagText(&field))
		if len(field.Values) > 0 {
			app.CompleteFlag(c, field.Flag, field.Values...)
		}
		for _, name := range field.Flags() {
			other[name] = field.Flag
		}
	}
	c.Flags().SetNormalizeFunc(func(_ *pflag.FlagSet, name string) pflag.NormalizedName {
		return pflag.NormalizedName(cmp.Or(other[name], name))
	})
	c.SetFlagErrorFunc(func(c *cobra.Command, err error) error {
		return app.Usagef("%s: %v; the filters are --%s", c.CommandPath(), err, strings.Join(filterFlags(), ", --"))
	})
	app.Complete(c, "guideline", func(typed string) ([]string, cobra.ShellCompDirective) {
		return idsInForce(a, c, typed), cobra.ShellCompDirectiveNoFileComp
	})
}

func filterFlags() (out []string) {
	for _, field := range store.AuditFields() {
		out = append(out, field.Flag)
	}
	return out
}

// flagText returns the help text of a filter. If a filter accepts many values, the text contains only examples. All
// values are in the completions of the shell and in error messages.
func flagText(f *store.AuditField) string {
	last := strings.LastIndexByte(f.About, ' ') + 1 // the last word names the value
	text := "only entries " + f.About[:last] + "`" + strings.ToUpper(f.About[last:]) + "`"
	switch {
	case f.Name == store.AuditFrom:
		return "only entries at or after this `TIME`: 2026-02-28 or 2026-02-28T10:00:00Z"
	case f.IsTime:
		return "only entries before this `TIME`; if it is only a day, entries of that whole day are included"
	case len(f.Values) > 8:
		return text + ", such as " + strings.Join(f.Values[:4], ", ")
	case len(f.Values) > 0:
		return text + ": " + strings.Join(f.Values, " or ")
	}
	return text
}

func (f *auditFlags) filter(c *cobra.Command) (filter store.AuditFilter, err error) {
	for _, field := range store.AuditFields() {
		text := *f.values[field.Name]
		if len(field.Values) > 0 {
			err = app.OneOf(c, field.Flag, text, field.Values)
		}
		switch field.Name {
		case store.AuditFrom:
			filter.From, err = flagTime(c, field.Flag, text, false)
		case store.AuditTo:
			filter.To, err = flagTime(c, field.Flag, text, true)
		default:
			filter.Set(field.Name, text)
		}
		if err != nil {
			return filter, err
		}
	}
	if !filter.To.IsZero() && !filter.From.Before(filter.To) {
		return filter, app.Usagef("%s: --from must be before --to", c.CommandPath())
	}
	return filter, nil
}

// flagTime reads a time or a day. An empty text means the zero time.
func flagTime(c *cobra.Command, flag, text string, isEnd bool) (time.Time, error) {
	if text == "" {
		return time.Time{}, nil
	}
	at, ok := document.ParseMoment(text, isEnd)
	if !ok {
		return at, app.Usagef("%s: --%s: %s is not a time; write 2026-02-28 or 2026-02-28T10:00:00Z",
			c.CommandPath(), flag, document.Excerpt(text))
	}
	return at, nil
}
