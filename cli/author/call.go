package author

import (
	"encoding/json"
	"strings"

	"github.com/spf13/cobra"

	"guardrails/cli/app"
	"guardrails/detect/toolcall"
	"guardrails/guideline/pattern"
	"guardrails/service"
)

type callFlags struct {
	payload, tool, command, path, input string
}

func (f *callFlags) add(c *cobra.Command) {
	flags := c.Flags()
	flags.StringVar(&f.payload, "payload", "",
		"read the call from a `FILE`, or - for stdin, in the form that the client sends to hooks")
	flags.StringVar(&f.tool, "tool", "", "the name of the tool (default: Bash with --command, Write with --path)")
	flags.StringVar(&f.command, "command", "", "the command that the tool would run")
	flags.StringVar(&f.path, "path", "", "the file that the tool would use")
	flags.StringVar(&f.input, "input", "", "the whole input of the tool as `JSON`")
	app.CompleteFlag(c, "tool", toolNames()...)
}

// call() returns the tool call that the flags describe. It returns an error if the flags describe no call or more than
// one call.
func (f *callFlags) call(a *app.App, c *cobra.Command) (*call, error) {
	given := func(flag string) bool { return c.Flags().Changed(flag) }
	inputs := 0
	for _, flag := range []string{"command", "path", "input"} {
		if given(flag) {
			inputs++
		}
	}
	switch {
	case given("payload") && (inputs > 0 || given("tool")):
		return nil, app.Usagef("%s: --payload contains the whole call; remove --tool, --command, --path and --input",
			c.CommandPath())
	case given("payload"):
		raw, _, err := a.ReadInput(f.payload)
		if err != nil {
			return nil, err
		}
		return parsePayload(raw), nil
	case inputs > 1:
		return nil, app.Usagef("%s: --command, --path and --input exclude each other; keep one", c.CommandPath())
	case !given("tool") && !given("command") && !given("path"):
		return nil, app.Usagef("%s: no tool call is given; pass --payload, or --tool with --command, --path or --input",
			c.CommandPath())
	}
	named, err := f.named(c)
	if err == nil {
		named.mode = service.DefaultMode
	}
	return named, err
}

func (f *callFlags) named(c *cobra.Command) (*call, error) {
	if err := f.checkFlags(c); err != nil {
		return nil, err
	}
	tool := f.tool
	switch {
	case tool != "":
	case c.Flags().Changed("command"):
		tool = "Bash"
	default:
		tool = "Write"
	}
	switch {
	case c.Flags().Changed("command"):
		return &call{tool: tool, input: object("command", f.command)}, nil
	case c.Flags().Changed("path"):
		return &call{tool: tool, input: object(toolcall.PathArgument(tool), f.path)}, nil
	case !c.Flags().Changed("input"):
		return &call{tool: tool, input: []byte("{}")}, nil
	}
	var fields map[string]json.RawMessage
	if err := json.Unmarshal([]byte(f.input), &fields); err != nil || fields == nil {
		return nil, app.Usagef(`%s: --input is not a JSON object; write for example --input '{"file_path": "src/a.go"}'`,
			c.CommandPath())
	}
	return &call{tool: tool, input: []byte(f.input)}, nil
}

// checkFlags returns an error if a flag is empty or does not apply to the tool.
func (f *callFlags) checkFlags(c *cobra.Command) error {
	for _, flag := range []string{"tool", "path"} {
		if given := c.Flags().Lookup(flag); given.Changed && strings.TrimSpace(given.Value.String()) == "" {
			return app.Usagef("%s: --%s is empty; give a value, or remove the flag", c.CommandPath(), flag)
		}
	}
	switch family := pattern.FamilyOf(f.tool); {
	case c.Flags().Changed("path") && family == pattern.CommandFamily:
		return app.Usagef("%s: %s takes no --path; give --command", c.CommandPath(), f.tool)
	case c.Flags().Changed("command") && family != pattern.CommandFamily && family != pattern.NoFamily:
		return app.Usagef("%s: %s takes no --command; give --path or --input", c.CommandPath(), f.tool)
	}
	return nil
}

func object(field, value string) []byte {
	// Encoding a map of strings cannot fail.
	encoded, _ := json.Marshal(map[string]string{field: value})
	return encoded
}

// toolNames returns the client's tools, for completion in shells. The flag --tool also accepts other names.
func toolNames() []string {
	return []string{
		"Agent", "Bash", "Edit", "Glob", "Grep", "MultiEdit", "NotebookEdit", "PowerShell", "Read",
		"Skill", "WebFetch", "WebSearch", "Write",
	}
}
