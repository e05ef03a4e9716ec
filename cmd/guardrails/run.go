package main

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"
)

// exitCode is what the process says to its caller.
type exitCode int

const (
	done    exitCode = 0
	failed  exitCode = 1
	misused exitCode = 2
	// refused is a denied tool call, a case that failed or an audit that is damaged: the command did its work, and the answer is no.
	refused exitCode = 3
)

// world is everything outside the program that a command touches.
type world struct {
	stdin          io.Reader
	stdout, stderr io.Writer
	env            func(string) string
	cwd            string
	// now is the clock; nil is the system's.
	now func() time.Time
	// tools finds the folder of the hook binaries that belong to this program.
	tools func() (string, error)
	// self is the path of the running program; empty when it is not known.
	self string
	// server finds the server that belongs to this program, nil where there is none; exec lets another program take the
	// place of this one.
	server func() (string, error)
	exec   func(program string, args []string) (exitCode, error)
	// user is how the audit calls whoever runs the program.
	user func() string
	// terminal is set when a person looks at stdout, personal when one types on stdin.
	terminal, personal bool
}

// outcome is an error that knows the exit code; without a message the code alone is the answer.
type outcome struct {
	code    exitCode
	message string
}

func (o *outcome) Error() string { return o.message }

func usageError(format string, args ...any) error {
	return &outcome{misused, fmt.Sprintf(format, args...)}
}

func failure(format string, args ...any) error {
	return &outcome{failed, fmt.Sprintf(format, args...)}
}

// run executes one command line; errors go to stderr, a line each.
func run(args []string, w *world) exitCode {
	a := &app{world: w, format: asText}
	root := a.root()
	root.SetArgs(args)
	root.SetIn(w.stdin)
	root.SetOut(w.stdout)
	root.SetErr(w.stderr)
	err := root.Execute()
	if err == nil {
		return done
	}
	code := failed
	if o, ok := errors.AsType[*outcome](err); ok {
		code = o.code
	}
	if message := err.Error(); message != "" {
		// Where stderr is closed, the exit code still speaks.
		_, _ = fmt.Fprintln(w.stderr, message)
	}
	return code
}

func (a *app) root() *cobra.Command {
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
		return usageError("%s: %v; run %q for its flags", c.CommandPath(), err, c.CommandPath()+" --help")
	})
	root.PersistentFlags().VarP(&a.format, "output", "o", "how to write the answer: text or json")
	root.AddCommand(
		a.evaluateCommand(), a.explainCommand(), a.detectCommand(), a.lintCommand(), a.testCommand(), a.diffCommand(),
		a.initCommand(), a.doctorCommand(), a.onceCommand(), a.serveCommand(), a.mcpCommand(), a.tokenCommand(), a.callCommand(), a.fallbackCommand(), a.statuslineCommand(),
		a.listCommand(), a.getCommand(), a.applyCommand(), a.deleteCommand(), a.toggleCommand(), a.historyCommand(), a.restoreCommand(),
		a.importCommand(), a.exportCommand(), a.bootstrapCommand(), a.auditCommand(),
		a.packsCommand(), a.eventsCommand(), a.schemaCommand(), a.versionCommand(), a.completionCommand(),
	)
	root.SetHelpCommand(helpCommand())
	completeFlag(root, "output", formats()...)
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
	return usageError("guardrails: there is no command %q; %s", args[0], hint)
}

// arguments checks how many arguments a command gets; what names them for a person.
func arguments(low, high int, what string) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		if n := len(args); n >= low && (high < 0 || n <= high) {
			return nil
		}
		return usageError("%s: got %s; %s; run %q for examples", c.CommandPath(), count(len(args), "argument"), what, c.CommandPath()+" --help")
	}
}

func helpCommand() *cobra.Command {
	return &cobra.Command{
		Use:     "help [COMMAND]",
		Short:   "Show what a command does",
		Long:    "Help shows what a command does, its flags and examples; the same as COMMAND --help.",
		Example: "  guardrails help evaluate",
		Args:    arguments(0, 1, "name one command"),
		RunE: func(c *cobra.Command, args []string) error {
			about, rest, err := c.Root().Find(args)
			if err != nil || len(rest) > 0 {
				return knownCommand(c.Root(), args)
			}
			return about.Help()
		},
	}
}
