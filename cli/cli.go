// Package cli is the guardrails program. Main runs the program with the arguments and streams of this process. Run runs
// the program with the given arguments and streams.
//
// The commands are in packages. Package "setup" sets up a project. Package "author" helps to write and try guidelines.
// Package "check" checks texts. Package "store" manages guidelines and the audit. Package "session" is about a running
// session. Package "server" starts the server. Package "app" has the code that all commands share.
package cli

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"guardrails/cli/app"
	"guardrails/cli/author"
	"guardrails/cli/check"
	"guardrails/cli/server"
	"guardrails/cli/session"
	"guardrails/cli/setup"
	"guardrails/cli/store"
)

// Run executes one command line and returns its exit code. Errors go to stderr.
func Run(args []string, system *app.System) app.ExitCode {
	root := newRoot(&app.App{System: system, Format: app.Text}, commandIn(args))
	root.SetArgs(args)
	root.SetIn(system.Stdin)
	root.SetOut(system.Stdout)
	root.SetErr(system.Stderr)
	err := root.Execute()
	if err != nil && err.Error() != "" {
		// If stderr is closed, the exit code still reports the failure.
		_, _ = fmt.Fprintln(system.Stderr, err.Error())
	}
	return app.CodeOf(err)
}

type group struct {
	id, title string
	commands  []app.Command
}

func groups() []group {
	return []group{
		{"setup", "Set up and check a project:", setup.Commands()},
		{"author", "Write and try out guidelines:", author.Commands()},
		{"check", "Check what people and models write:", check.Commands()},
		{"store", "Manage the guidelines in the store:", store.Commands()},
		{"session", "Work with a running session:", session.Commands()},
		{"server", "Run the server:", server.Commands()},
	}
}

// commandIn returns the name of the command at the beginning of a command line, or "" if there is none.
func commandIn(args []string) string {
	if len(args) == 0 {
		return ""
	}
	for _, g := range groups() {
		if slices.ContainsFunc(g.commands, func(c app.Command) bool { return c.Name == args[0] }) {
			return args[0]
		}
	}
	return ""
}

// newRoot returns the tree of commands. If the parameter "only" is the name of a command, newRoot builds no other
// command, because building all commands would take longer than running one of the fast commands.
func newRoot(a *app.App, only string) *cobra.Command {
	var version bool
	root := &cobra.Command{
		Use:   "guardrails",
		Short: "Enforce a team's guidelines on AI coding agents",
		Long: `guardrails enforces a team's guidelines on AI coding agents: it tells the agent which guidelines
apply to its task, and checks every tool call before it runs.

Most commands use the guidelines of the current project: those in the store, the files in .claude/guardrails,
and the packs that .claude/guardrails.yaml names. A project without any guidelines uses the core pack. With -g,
commands that try out guidelines use a file, a folder or pack:NAME instead.

Answers go to stdout, as text or as JSON (-o json). Errors and notes go to stderr, always as text.

Exit codes:
  0  the command succeeded
  1  the command failed
  2  the command line is wrong
  3  the answer is no: a denied tool call (explain), a failed case (test), a damaged audit (audit verify)`,
		Example: `  guardrails init
  guardrails explain --command 'git push --force'`,
		SilenceErrors: true,
		SilenceUsage:  true,
		Args:          knownCommand,
		RunE: func(c *cobra.Command, _ []string) error {
			if version {
				return printVersion(a)
			}
			return c.Help()
		},
	}
	root.CompletionOptions.DisableDefaultCmd = true
	root.SetFlagErrorFunc(func(c *cobra.Command, err error) error {
		return app.Usagef("%s: %v; run %q for its flags", c.CommandPath(), err, c.CommandPath()+" --help")
	})
	root.PersistentFlags().VarP(&a.Format, "output", "o", "write the answer as text or json")
	root.Flags().BoolVar(&version, "version", false, "show the version and exit")
	app.CompleteFlag(root, "output", app.Formats()...)
	addCommands(root, a, only)
	return root
}

func addCommands(root *cobra.Command, a *app.App, only string) {
	for _, g := range groups() {
		root.AddGroup(&cobra.Group{ID: g.id, Title: g.title})
		for _, command := range g.commands {
			if only == "" || only == command.Name {
				c := command.New(a)
				c.GroupID = g.id
				root.AddCommand(c)
			}
		}
	}
	root.AddCommand(versionCommand(a), completionCommand(a))
	root.SetHelpCommand(helpCommand())
}

// knownCommand returns an error if the first word is not a command. The error suggests the command that was probably
// meant.
func knownCommand(root *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	hint := fmt.Sprintf("run %q for a list", root.CommandPath()+" --help")
	root.SuggestionsMinimumDistance = 2
	if similar := root.SuggestionsFor(args[0]); len(similar) > 0 {
		slices.Sort(similar)
		hint = "did you mean " + strings.Join(similar, " or ") + "?"
	}
	return app.Usagef("guardrails: there is no command %q; %s", args[0], hint)
}

func helpCommand() *cobra.Command {
	return &cobra.Command{
		Use:     "help [COMMAND]",
		Short:   "Show the help of a command",
		Long:    "Help shows what a command does, its flags and examples. It is the same as COMMAND --help.",
		Example: "  guardrails help evaluate",
		Args:    app.Args(0, 2, "name one command"),
		RunE: func(c *cobra.Command, args []string) error {
			about, rest, err := c.Root().Find(args)
			if err != nil || len(rest) > 0 {
				return knownCommand(c.Root(), args)
			}
			return about.Help()
		},
	}
}
