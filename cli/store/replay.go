package store

import (
	"context"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"guardrails/cli/app"
	"guardrails/rules"
	"guardrails/service"
	"guardrails/service/replay"
	"guardrails/store"
)

func replayCommand(a *app.App) *cobra.Command {
	var f auditFlags
	r := replaying{a: a}
	c := &cobra.Command{
		Use:   "replay",
		Short: "Judge recorded calls again, with other guidelines",
		Long: `Replay judges the recorded calls of the last 24 hours again, and shows which decisions would change. With --file,
it judges as if the guidelines of the file were saved. Without --file, it uses the saved guidelines as they are
now. It also counts the calls that it cannot judge again, and says why.

Replay changes nothing and runs no call.`,
		Example: `  guardrails replay --file new.yaml
  guardrails replay --file new.yaml --since 168h --result allow
  guardrails replay --from 2026-02-01 --to 2026-02-08 -o json`,
		Args: app.Args(0, 0, "it takes only flags; give the guidelines with --file"),
		RunE: func(c *cobra.Command, _ []string) error { return r.run(c, &f) },
	}
	f.add(a, c)
	c.Flags().StringVar(&r.file, "file", "", "judge the calls as if the guidelines in this `FILE` were saved; - is stdin")
	c.Flags().DurationVar(&r.since, "since", service.ReplaySince, "how far back to go, as a `DURATION` such as 2h; --from overrides it")
	c.Flags().IntVar(&r.calls, "calls", replay.DefaultCalls, "judge at most `NUMBER` calls")
	return c
}

// The type "replaying" has the flags of the command.
type replaying struct {
	a     *app.App
	file  string
	since time.Duration
	calls int
}

func (r *replaying) run(c *cobra.Command, f *auditFlags) error {
	filter, err := f.filter(c)
	if err != nil {
		return err
	}
	if r.since <= 0 {
		return app.Usagef("%s: --since %s must be more than 0, for example --since 24h", c.CommandPath(), r.since)
	}
	if r.calls < 1 || r.calls > replay.MaxCalls {
		return app.Usagef("%s: --calls %d is out of range; use 1 to %d", c.CommandPath(), r.calls, replay.MaxCalls)
	}
	if filter.Kind == store.KindChange {
		return app.Usagef("%s: --kind change selects no calls; leave --kind out", c.CommandPath())
	}
	filter.Kind = store.KindDecision
	if filter.From.IsZero() {
		filter.From = r.a.Clock()().Add(-r.since)
	}
	draft, err := r.draft()
	if err != nil {
		return err
	}
	return withAudit(r.a, c, func(ctx context.Context, s *projectStore) error {
		report, err := r.replay(ctx, s, filter, draft)
		if err != nil {
			return err
		}
		return r.a.Answer(report, func(p *app.Printer) { printReport(p, report, draft != nil) })
	})
}

func (r *replaying) draft() (*service.Draft, error) {
	if r.file == "" {
		return nil, nil
	}
	content, name, err := r.a.ReadInput(r.file)
	if err != nil {
		return nil, err
	}
	file, problems := rules.Parse(name, content)
	if err := problems.Err(); err != nil {
		return nil, err
	}
	d := &service.Draft{}
	for i := range file.Guidelines {
		d.Guidelines = append(d.Guidelines, file.Guidelines[i].Guideline)
	}
	return d, nil
}

func (r *replaying) replay(
	ctx context.Context, s *projectStore, filter store.AuditFilter, draft *service.Draft,
) (*replay.Report, error) {
	judge := r.a.Service()
	defer func() { _ = judge.Close() }() // an error of Close does not matter after reading
	request := service.ReplayRequest{Draft: draft, Calls: r.calls}
	if r.a.Terminal {
		request.Progress = func(so *replay.Report) error {
			_, err := fmt.Fprintf(r.a.Stderr, "\r%d entries read, %d calls would be decided differently", so.Read, so.Changed)
			return err
		}
		defer func() { _, _ = fmt.Fprint(r.a.Stderr, "\r\033[K") }()
	}
	return judge.Replay(ctx, s.Entries(ctx, filter), request)
}

func printReport(p *app.Printer, r *replay.Report, hasFile bool) {
	for i := range r.Groups {
		printGroup(p, &r.Groups[i], hasFile)
	}
	if r.MoreGroups > 0 {
		p.Line("%s in more groups", app.Count(r.MoreGroups, "call"))
	}
	p.Line("%s: %d would be decided differently, %d as before, %d cannot be judged again",
		app.Count(r.Calls, "recorded call"), r.Changed, r.Unchanged, r.NotReplayed)
	for _, reason := range r.Reasons {
		p.Line("    %d: %s", reason.Count, reason.About)
	}
	switch {
	case r.Truncated && r.Last.IsZero():
		p.Line("The replay ended before the first call, because it ran out of time. Choose a shorter time with --since.")
	case r.Truncated && r.TimeOver:
		p.Line("The replay ended at %s, because it ran out of time. To judge the later calls, use "+
			"--from.", formatTime(r.Last))
	case r.Truncated:
		p.Line("The replay ended at %s. To judge the later calls, use --from, or raise --calls.", formatTime(r.Last))
	}
	for _, notice := range r.Notices {
		p.Line("%s", notice)
	}
}

// printGroup prints a group. The parameter hasFile is set if the user gave a file with guidelines to try.
func printGroup(p *app.Printer, g *replay.Group, hasFile bool) {
	line := verdictText(p, g.Was) + " -> " + verdictText(p, g.Would) + ", " + app.Count(g.Count, "call")
	if hasFile && !g.ByDraft {
		line += "; this difference does not come from the file: the saved guidelines already decide differently from " +
			"the record, or they cannot judge the call"
	}
	p.Line("%s", line)
	for i := range g.Calls {
		c := &g.Calls[i]
		p.Line("    %s  %s", formatTime(c.Time), app.Flat(c.Text))
	}
	if more := g.Count - len(g.Calls); more > 0 {
		p.Line("    and %s", app.Count(more, "more call"))
	}
}

func verdictText(p *app.Printer, v replay.Verdict) string {
	out := p.Paint(resultColor(v.Result), app.Flat(v.Result))
	if v.Guideline != "" {
		out += " by " + app.Flat(v.Guideline)
	}
	return out
}
