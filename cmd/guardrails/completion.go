package main

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"guardrails/detect/toolcall"
)

// suggester lists what can stand in place of what is typed so far.
type suggester func(typed string) ([]string, cobra.ShellCompDirective)

func complete(c *cobra.Command, flag string, suggest suggester) {
	// The only error is a flag that does not exist, and the completion tests would show it.
	_ = c.RegisterFlagCompletionFunc(flag, func(_ *cobra.Command, _ []string, typed string) ([]string, cobra.ShellCompDirective) {
		return suggest(typed)
	})
}

func completeFlag(c *cobra.Command, flag string, values ...string) {
	complete(c, flag, func(string) ([]string, cobra.ShellCompDirective) {
		return values, cobra.ShellCompDirectiveNoFileComp
	})
}

// eventNames lists the events with their meanings, in the form that shells show.
func eventNames() []string {
	var out []string
	for _, e := range toolcall.Events() {
		out = append(out, string(e.Event)+"\t"+e.Meaning)
	}
	return out
}

// toolNames are the client's tools; any other name is accepted too.
func toolNames() []string {
	return []string{"Agent", "Bash", "Edit", "Glob", "Grep", "MultiEdit", "NotebookEdit", "PowerShell", "Read", "Skill", "WebFetch", "WebSearch", "Write"}
}

// completeAgents suggests the agents that the guidelines in force name.
func (a *app) completeAgents(c *cobra.Command, sources *[]string) {
	complete(c, "agent", func(string) ([]string, cobra.ShellCompDirective) {
		config, err := a.config()
		if err != nil {
			return nil, cobra.ShellCompDirectiveError
		}
		loaded, err := a.readSources(config, *sources)
		if err != nil {
			return nil, cobra.ShellCompDirectiveError
		}
		var agents []string
		for _, g := range loaded.Guidelines {
			agents = append(agents, g.Condition.Agents...)
		}
		slices.Sort(agents)
		return slices.Compact(agents), cobra.ShellCompDirectiveNoFileComp
	})
}

func shells() []string { return []string{"bash", "zsh", "fish", "powershell"} }

func (a *app) completionCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "completion SHELL",
		Short: "Write a completion script for bash, zsh, fish or powershell",
		Long: `Completion writes a script that completes commands, flags and their values: packs, events, agents, tools.

Load it where your shell reads its settings, for example in ~/.bashrc: source <(guardrails completion bash)`,
		Example: `  guardrails completion bash
  guardrails completion fish`,
		Args:      arguments(1, 1, "name one shell: "+strings.Join(shells(), ", ")),
		ValidArgs: shells(),
		RunE: func(c *cobra.Command, args []string) error {
			script, err := completionScript(c.Root(), args[0])
			if err != nil {
				return err
			}
			return a.answer(map[string]string{"shell": args[0], "script": string(script)}, func(p *printer) { p.Write(script) })
		},
	}
}

func completionScript(root *cobra.Command, shell string) ([]byte, error) {
	var b bytes.Buffer
	write, ok := map[string]func() error{
		"bash":       func() error { return root.GenBashCompletionV2(&b, true) },
		"zsh":        func() error { return root.GenZshCompletion(&b) },
		"fish":       func() error { return root.GenFishCompletion(&b, true) },
		"powershell": func() error { return root.GenPowerShellCompletionWithDesc(&b) },
	}[shell]
	if !ok {
		return nil, usageError("guardrails completion: there is no script for %q; use %s", shell, strings.Join(shells(), ", "))
	}
	if err := write(); err != nil {
		return nil, fmt.Errorf("completion for %s: %w", shell, err)
	}
	return b.Bytes(), nil
}
