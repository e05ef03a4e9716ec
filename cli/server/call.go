package server

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"guardrails/cli/app"
	"guardrails/internal/document"
	"guardrails/service"
)

// maxArguments bounds what is read from stdin for a tool.
const maxArguments = 1 << 20

func callCommand(a *app.App) *cobra.Command {
	return &cobra.Command{
		Use:   "call TOOL JSON",
		Short: "Call a tool of the server in this process",
		Long: `Call answers what the server's tool of that name would answer, without a server: the hooks run it when none is there.
The arguments are a JSON object, or - for one on stdin. The answer is JSON, whatever -o says.

` + service.ToolGetContext + ` takes agent, domain, action, paths, event, gate_type, tenant_id, session_id, metadata, unknown, prompt
and project, and from hooks choice, environment and hook. What cannot be read or reached is no error: the answer says so in
its fallback. ` + service.ToolExplain + ` takes what describes a task, ` + service.ToolList + ` category, agent, enabled and text,
` + service.ToolGet + ` id, ` + service.ToolLogDecision + ` guideline_id, context, result, reason and user_response.`,
		Example: `  guardrails call guardrails_get_context '{"agent": "backend", "event": "commit"}'
  guardrails call guardrails_list '{"category": "security"}'
  echo '{"agent": "backend", "unknown": ["paths"]}' | guardrails call guardrails_get_context -`,
		Args: app.Args(2, 2, "name a tool and give its arguments as JSON, or as - on stdin"),
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return service.ToolNames(), cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(c *cobra.Command, args []string) error { return callTool(a, c, args[0], args[1]) },
	}
}

func callTool(a *app.App, c *cobra.Command, name, given string) error {
	if !slices.Contains(service.ToolNames(), name) {
		return app.Usagef("%s: there is no tool %s; use %s", c.CommandPath(), document.Excerpt(name), strings.Join(service.ToolNames(), ", "))
	}
	arguments, err := readArguments(a, c, given)
	if err != nil {
		return err
	}
	answer, err := a.Service().Call(c.Context(), name, arguments)
	if err != nil {
		return misuse(c, err)
	}
	encoded, err := app.Encode(answer)
	if err != nil {
		return err
	}
	return a.Print(encoded)
}

// arguments are those of a tool: as they stand on the command line, or stdin where they are -.
func readArguments(a *app.App, c *cobra.Command, given string) ([]byte, error) {
	if given != "-" {
		return []byte(given), nil
	}
	text, err := io.ReadAll(io.LimitReader(a.Stdin, maxArguments+1))
	if err != nil {
		return nil, app.Failf("stdin: cannot be read: %v; give the arguments on the command line", err)
	}
	if len(text) > maxArguments {
		return nil, app.Usagef("%s: stdin is larger than %d MiB; give less", c.CommandPath(), maxArguments>>20)
	}
	return text, nil
}

// misuse says of each mistake in a tool's arguments which command it was given to.
func misuse(c *cobra.Command, err error) error {
	problems, ok := errors.AsType[document.Problems](err)
	if !ok {
		return err
	}
	var lines []string
	for _, p := range problems {
		lines = append(lines, fmt.Sprintf("%s: arguments: %v", c.CommandPath(), p))
	}
	return app.Usagef("%s", strings.Join(lines, "\n"))
}
