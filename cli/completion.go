package cli

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"guardrails/cli/app"
)

func shells() []string { return []string{"bash", "zsh", "fish", "powershell"} }

func completionCommand(a *app.App) *cobra.Command {
	return &cobra.Command{
		Use:   "completion SHELL",
		Short: "Write a completion script for bash, zsh, fish or powershell",
		Long: `Completion writes a script that completes commands, flags and values such as packs, events, agents
and guidelines.

Load it in the start file of your shell, for example in ~/.bashrc: source <(guardrails completion bash)`,
		Example: `  guardrails completion bash
  guardrails completion fish`,
		Args:      app.Args(1, 1, "name one shell: "+strings.Join(shells(), ", ")),
		ValidArgs: shells(),
		RunE: func(c *cobra.Command, args []string) error {
			script, err := completionScript(c.Root(), args[0])
			if err != nil {
				return err
			}
			answer := map[string]string{"shell": args[0], "script": string(script)}
			return a.Answer(answer, func(p *app.Printer) { p.Write(script) })
		},
	}
}

func completionScript(root *cobra.Command, shell string) ([]byte, error) {
	var b bytes.Buffer
	var err error
	switch shell {
	case "bash":
		err = root.GenBashCompletionV2(&b, true)
	case "zsh":
		err = root.GenZshCompletion(&b)
	case "fish":
		err = root.GenFishCompletion(&b, true)
	case "powershell":
		err = root.GenPowerShellCompletionWithDesc(&b)
	default:
		return nil, app.Usagef("guardrails completion: there is no script for %q; use %s", shell,
			strings.Join(shells(), ", "))
	}
	if err != nil {
		return nil, fmt.Errorf("completion for %s: %w", shell, err)
	}
	return b.Bytes(), nil
}
