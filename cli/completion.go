package cli

import (
	"bytes"
	"fmt"
	"strings"

	"guardrails/cli/app"

	"github.com/spf13/cobra"
)

func shells() []string { return []string{"bash", "zsh", "fish", "powershell"} }

func completionCommand(a *app.App) *cobra.Command {
	return &cobra.Command{
		Use:   "completion SHELL",
		Short: "Write a completion script for bash, zsh, fish or powershell",
		Long: `Completion writes a script that completes commands, flags and their values: packs, events, agents, tools.

Load it where your shell reads its settings, for example in ~/.bashrc: source <(guardrails completion bash)`,
		Example: `  guardrails completion bash
  guardrails completion fish`,
		Args:      app.Args(1, 1, "name one shell: "+strings.Join(shells(), ", ")),
		ValidArgs: shells(),
		RunE: func(c *cobra.Command, args []string) error {
			script, err := completionScript(c.Root(), args[0])
			if err != nil {
				return err
			}
			return a.Answer(map[string]string{"shell": args[0], "script": string(script)}, func(p *app.Printer) { p.Write(script) })
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
		return nil, app.Usagef("guardrails completion: there is no script for %q; use %s", shell, strings.Join(shells(), ", "))
	}
	if err := write(); err != nil {
		return nil, fmt.Errorf("completion for %s: %w", shell, err)
	}
	return b.Bytes(), nil
}
