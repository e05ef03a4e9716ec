package server

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"guardrails/cli/app"
	"guardrails/detect/advice"
	"guardrails/detect/contract"
	"guardrails/internal/document"
	"guardrails/service"
	"guardrails/service/tools"
)

// maxArguments is the largest size of the arguments on stdin. It is enough for check_rumination with a history of 500
// long prompts.
const maxArguments = document.MaxSize

// maxWithin is the longest time for a call.
const maxWithin = time.Minute

func callCommand(a *app.App) *cobra.Command {
	var within time.Duration
	c := &cobra.Command{
		Use:   "call TOOL JSON",
		Short: "Call a tool of the server without starting the server",
		Long: `Call gives the same answer as the server's tool. Hooks run this command when no server is running. The arguments
are a JSON object; - reads the object from stdin. The answer is always JSON.

The tools and their arguments:

  ` + tools.GetContext + `   agent, domain, action, paths, event, gate_type, tenant_id, session_id, metadata,
                           unknown, prompt, project; from hooks also choice, environment, hook
  ` + tools.Explain + `       the same arguments that describe a task
  ` + tools.List + `          category, agent, enabled, text, page, cursor, page_size
  ` + tools.Get + `           id
  ` + tools.ExplainCall + `  one tool call: tool, command, path or input; and the task
  ` + tools.LogDecision + `  guideline_id, context, result, reason, user_response
  ` + contract.Rumination + `         current_prompt, history; see "guardrails check --help"
  ` + contract.Hyperfocus + `         chronometric_snapshot
  ` + contract.Sycophancy + `         candidate_response, recent_user_messages
  ` + contract.ToolLoop + `          calls

If the guidelines cannot be read, ` + tools.GetContext + ` does not fail: the field "fallback" of its
answer says why.`,
		Example: `  guardrails call guardrails_get_context '{"agent": "backend", "event": "commit"}'
  guardrails call guardrails_list '{"category": "security"}'
  echo '{"agent": "backend", "unknown": ["paths"]}' | guardrails call guardrails_get_context -`,
		Args: app.Args(2, 2, "name a tool and give its arguments as JSON, or - to read them from stdin"),
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return tools.Names(), cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(c *cobra.Command, args []string) error { return callTool(a, c, within, args[0], args[1]) },
	}
	c.Flags().DurationVar(&within, "within", maxWithin,
		"how long the call may wait for a store, another server or a model; a hook gives the time that the hook still has")
	return c
}

func callTool(a *app.App, c *cobra.Command, within time.Duration, name, given string) error {
	if within <= 0 || within > maxWithin {
		return app.Usagef("%s: --within must be more than 0 and at most %s, like 900ms", c.CommandPath(), maxWithin)
	}
	if !slices.Contains(tools.Names(), name) {
		return app.Usagef("%s: there is no tool %s; use %s",
			c.CommandPath(), document.Excerpt(name), strings.Join(tools.Names(), ", "))
	}
	arguments, err := readArguments(a, c, given)
	if err != nil {
		return err
	}
	s := a.Service()
	ctx, stop := context.WithTimeout(service.WithActor(c.Context(), a.User()), within)
	defer stop()
	answer, err := tools.Call(ctx, s, name, arguments)
	if err != nil {
		return argumentError(c, err)
	}
	encoded, err := app.Encode(answer)
	if err == nil {
		err = a.Print(encoded)
	}
	if a, ok := answer.(*service.Answer); ok && a.Fallback == nil {
		// Relieve moves records from the spool to the store. If Relieve fails, the answer stays valid, the records stay in
		// the spool, and doctor reports them. Relieve is not called during an outage, because a store that does not answer
		// would only delay the hook.
		_ = s.Relieve(c.Context())
	}
	return err
}

// readArguments returns the arguments that are given on the command line. If the command line has "-" instead, it reads
// the arguments from stdin.
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

// argumentError adds the name of the command to every problem in a tool's arguments.
func argumentError(c *cobra.Command, err error) error {
	var lines []string
	if problems, ok := errors.AsType[advice.Problems](err); ok {
		for _, p := range problems {
			lines = append(lines, fmt.Sprintf("%s: arguments: %v", c.CommandPath(), p))
		}
		return app.Usagef("%s", strings.Join(lines, "\n"))
	}
	problems, ok := errors.AsType[document.Problems](err)
	if !ok {
		return err
	}
	for _, p := range problems {
		lines = append(lines, fmt.Sprintf("%s: arguments: %v", c.CommandPath(), p))
	}
	return app.Usagef("%s", strings.Join(lines, "\n"))
}
