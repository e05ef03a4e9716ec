package setup

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"guardrails/cli/app"
	"guardrails/config"
	"guardrails/config/trust"
	"guardrails/internal/document"
	"guardrails/service"
)

func trustCommand(a *app.App) *cobra.Command {
	c := &cobra.Command{
		Use:   "trust [list]",
		Short: "Let a project's settings loosen your rules",
		Long: `A project can make your rules stricter, but cannot loosen them: guardrails ignores its exceptions to your
guidelines, its environment, agent, domains, tenant, store and server, and a looser fallback mode. Trust shows
what the project in the current folder wants to loosen, and asks whether you trust it. If you say yes, its
settings apply to your guidelines too, except to locked ones.

Your answer is for the files as they are: .claude/guardrails.yaml and .claude/guardrails. When one of them
changes, the project is no longer trusted until you run trust again.

Run this command in your own terminal. In an agent's shell it does nothing, and tool calls that run it are denied.`,
		Example: "  guardrails trust list",
		Args:    app.Args(0, 1, "use it alone, or with list"),
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) == 1 {
				return app.Usagef("%s: there is no command %s; use list", c.CommandPath(), document.Excerpt(args[0]))
			}
			return trustProject(a, c)
		},
	}
	c.AddCommand(trustListCommand(a))
	return c
}

type trustReport struct {
	Root    string `json:"root"`
	Trusted bool   `json:"trusted"`
	// The field "Loosens" lists the project's settings that will apply to the user's guidelines if the person trusts
	// the project.
	Loosens []config.Ignored `json:"loosens,omitempty"`
}

func trustProject(a *app.App, c *cobra.Command) error {
	if err := a.RequireTerminal(c); err != nil {
		return err
	}
	r := trustReport{Root: a.ProjectRoot(a.Cwd)}
	// Compute the hash first. If a file changes while the person reads, trust.Trust returns an error.
	hash, err := trust.Hash(r.Root)
	if err != nil {
		return app.Failf("%s: %v; fix this and run trust again", c.CommandPath(), err)
	}
	if r.Loosens, err = loosened(a); err != nil {
		return err
	}
	_, r.Trusted = trust.Holds(a.Env, r.Root)
	if r.Trusted || len(r.Loosens) == 0 {
		return a.Answer(r, func(p *app.Printer) { p.Line("%s", nothingToTrust(&r)) })
	}
	if !a.Confirm(trustQuestion(&r)) {
		return app.Failf("%s: nothing was changed", c.CommandPath())
	}
	if err := trust.Trust(a.Env, r.Root, hash, a.Clock()()); err != nil {
		return app.Failf("%s: %v", c.CommandPath(), err)
	}
	r.Trusted = true
	return a.Answer(r, func(p *app.Printer) {
		p.Line("Trusted: %s, until its settings or guidelines change.", app.Flat(r.Root))
	})
}

// loosened() returns the project's settings that take effect only if the project is trusted. It fails if the settings
// have mistakes, because a person could not see what such settings mean.
func loosened(a *app.App) (list []config.Ignored, err error) {
	s := a.Service()
	defer func() { err = errors.Join(err, s.Close()) }()
	if _, err := s.Settings(context.Background(), ""); err != nil {
		return nil, err
	}
	answer, err := s.GetContext(context.Background(), service.Request{})
	if err != nil {
		return nil, err
	}
	return slices.DeleteFunc(answer.Ignored, func(i config.Ignored) bool { return !i.NeedsTrust }), nil
}

func nothingToTrust(r *trustReport) string {
	if r.Trusted {
		return "You trust this project already: " + app.Flat(r.Root)
	}
	return "This project loosens none of your rules, so there is nothing to trust: " + app.Flat(r.Root)
}

// trustQuestion returns the question to a person who is about to trust the project.
func trustQuestion(r *trustReport) string {
	lines := []string{app.Flat(r.Root) + " wants to loosen your rules:", ""}
	for _, i := range r.Loosens {
		lines = append(lines, "  "+app.Flat(i.Setting+": "+i.Value), "      "+meaning(i.Setting))
	}
	lines = append(lines, "", "If you trust it, this applies until .claude/guardrails.yaml or a file in .claude/guardrails changes.",
		"Do you trust this project?")
	return strings.Join(lines, "\n")
}

// meaning() returns a text that says how a setting of the project weakens the checks for a person who trusts the
// project.
func meaning(setting string) string {
	switch setting {
	case "exceptions":
		return "these calls will run, although your guideline would stop them"
	case "environment":
		return "your guidelines treat this computer as a container, so deleting data only adds a note"
	case "test_commands":
		return "these commands count as tests before a commit"
	case "default_agent":
		return "your guidelines treat an agent without a name as this agent; guidelines for other agents do not apply to such an agent"
	case "domains":
		return "your guidelines use the project's words to find out what a prompt is about"
	case "tenant":
		return "the guidelines of this tenant apply instead of yours"
	case "store", "server":
		return "this place is used instead of your own store: guidelines come from this place, and audit entries go there"
	case "fallback_mode":
		return "this decides what happens when your guidelines cannot be read"
	case "audit":
		return "this decides how long decisions are kept"
	}
	return "this applies instead of your own setting"
}

func trustListCommand(a *app.App) *cobra.Command {
	return &cobra.Command{
		Use:   "list",
		Short: "List the projects that you trust",
		Long: "List shows the projects that you trusted. It marks the projects that have changed since then, because they " +
			"are no longer trusted.",
		Example: "  guardrails trust list",
		Args:    app.Args(0, 0, "it takes only flags"),
		RunE:    func(c *cobra.Command, _ []string) error { return listTrusted(a, c) },
	}
}

type trustedProject struct {
	Root  string    `json:"root"`
	Since time.Time `json:"since"`
	// The field "Changed" is set if the project's files have changed since the person trusted them. The project is then no
	// longer trusted.
	Changed bool `json:"changed"`
}

func listTrusted(a *app.App, c *cobra.Command) error {
	records, err := trust.List(a.Env)
	if err != nil {
		return app.Failf("%s: %v", c.CommandPath(), err)
	}
	list := []trustedProject{}
	for _, r := range records {
		list = append(list, trustedProject{r.Root, r.Time, r.Changed})
	}
	return a.Answer(list, func(p *app.Printer) {
		for _, t := range list {
			state := "trusted since " + t.Since.UTC().Format(time.DateTime+" UTC")
			if t.Changed {
				state = p.Paint(app.Yellow, "its settings, policies or guidelines have changed, so it is no longer trusted")
			}
			p.Line("%s  %s", app.Flat(t.Root), state)
		}
		if len(list) == 0 {
			p.Line("You trust no project.")
		}
	})
}

func untrustCommand(a *app.App) *cobra.Command {
	return &cobra.Command{
		Use:   "untrust [DIR]",
		Short: "Stop trusting a project",
		Long: `After untrust, the settings of a project apply only to the project's own guidelines. DIR is the root of the
project as "guardrails trust list" shows it; without DIR, untrust takes the project of the current folder.`,
		Example: "  guardrails untrust",
		Args:    app.Args(0, 1, "name one project"),
		RunE: func(c *cobra.Command, args []string) error {
			root := a.ProjectRoot(a.Cwd)
			if len(args) == 1 {
				root = args[0]
			}
			return untrustProject(a, c, root)
		},
	}
}

func untrustProject(a *app.App, c *cobra.Command, root string) error {
	if err := a.RequirePerson(c, "only the user decides which projects are trusted"); err != nil {
		return err
	}
	removed, err := trust.Untrust(a.Env, root)
	if err != nil {
		return app.Failf("%s: %v", c.CommandPath(), err)
	}
	return a.Answer(trustReport{Root: root}, func(p *app.Printer) {
		if removed {
			p.Line("No longer trusted: %s", app.Flat(root))
		} else {
			p.Line("You did not trust this project: %s", app.Flat(root))
		}
	})
}
