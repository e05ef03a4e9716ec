// Package cli is the command line. Main runs it in this process, Run with any arguments, streams and environment. The
// commands are in the folders: author (writing and trying out guidelines), store (what the store holds), setup, server and
// session; app has what they share.
package cli

import (
	"fmt"
	"strings"

	"guardrails/cli/app"
	"guardrails/cli/author"
	"guardrails/cli/server"
	"guardrails/cli/session"
	"guardrails/cli/setup"
	"guardrails/cli/store"

	"github.com/spf13/cobra"
)

// Run executes one command line and returns its exit code. Errors go to stderr.
func Run(args []string, system *app.System) app.ExitCode {
	root := newRoot(&app.App{System: system, Format: app.Text})
	root.SetArgs(args)
	root.SetIn(system.Stdin)
	root.SetOut(system.Stdout)
	root.SetErr(system.Stderr)
	err := root.Execute()
	if err != nil && err.Error() != "" {
		// Where stderr is closed, the exit code still speaks.
		_, _ = fmt.Fprintln(system.Stderr, err.Error())
	}
	return app.CodeOf(err)
}

func newRoot(a *app.App) *cobra.Command {
	root := &cobra.Command{
		Use:   "guardrails",
		Short: "Guidelines for coding agents: evaluate, explain, test and compare them",
		Long: `guardrails says which guidelines hold for a task, and what a tool call would do and whether it may.

Guidelines come from -g (a file, a folder, or pack:NAME). Without -g they are those of the store, the project's own files
in .claude/guardrails and the packs that .claude/guardrails.yaml names; where there is nothing, the core pack.

Answers go to stdout, as text or JSON; errors and remarks go to stderr and are always text.

Exit codes: 0 done, 1 failed, 2 wrong usage, 3 denied (explain), a failed case (test) or a damaged
audit (audit verify).`,
		Example: `  guardrails evaluate --agent backend
  guardrails explain --command 'git push --force'`,
		SilenceErrors: true,
		SilenceUsage:  true,
		Args:          knownCommand,
		RunE:          func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	root.CompletionOptions.DisableDefaultCmd = true
	root.SetFlagErrorFunc(func(c *cobra.Command, err error) error {
		return app.Usagef("%s: %v; run %q for its flags", c.CommandPath(), err, c.CommandPath()+" --help")
	})
	root.PersistentFlags().VarP(&a.Format, "output", "o", "how to write the answer: text or json")
	for _, commands := range [][]*cobra.Command{
		author.Commands(a), store.Commands(a), setup.Commands(a), server.Commands(a), session.Commands(a),
		{versionCommand(a), completionCommand(a)},
	} {
		root.AddCommand(commands...)
	}
	root.SetHelpCommand(helpCommand())
	app.CompleteFlag(root, "output", app.Formats()...)
	return root
}

// knownCommand refuses a first word that is no command, with the one that was probably meant.
func knownCommand(root *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	hint := fmt.Sprintf("run %q for the list", root.CommandPath()+" --help")
	root.SuggestionsMinimumDistance = 2
	if near := root.SuggestionsFor(args[0]); len(near) > 0 {
		hint = "did you mean " + strings.Join(near, " or ") + "?"
	}
	return app.Usagef("guardrails: there is no command %q; %s", args[0], hint)
}

func helpCommand() *cobra.Command {
	return &cobra.Command{
		Use:     "help [COMMAND]",
		Short:   "Show what a command does",
		Long:    "Help shows what a command does, its flags and examples; the same as COMMAND --help.",
		Example: "  guardrails help evaluate",
		Args:    app.Args(0, 1, "name one command"),
		RunE: func(c *cobra.Command, args []string) error {
			about, rest, err := c.Root().Find(args)
			if err != nil || len(rest) > 0 {
				return knownCommand(c.Root(), args)
			}
			return about.Help()
		},
	}
}
