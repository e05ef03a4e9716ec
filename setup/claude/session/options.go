// Package session runs a real Claude Code client with a model that the caller provides. The client does not use the
// user's account, settings or history.
//
// Start with Headless, which runs one prompt and returns what happened. Start opens the interactive client in its own
// terminal, where the caller types like a person.
package session

import (
	"encoding/json"
	"fmt"
	"os"

	"guardrails/internal/product"
)

// Options say which client to run, in which folder, and with which arguments and variables.
type Options struct {
	// Client is the path of the program.
	Client string
	// Project is the folder in which the client works. It contains the project's settings.
	Project string
	// Home is the client's HOME, a separate folder.
	Home string
	// Model is the URL of the model's server.
	Model string
	// Prompt is the user's prompt. Only Headless uses it.
	Prompt string
	// The field "Next" lists the user's later prompts. Each of them is sent after the answer to the previous prompt. Only
	// Headless uses them.
	Next []string
	// If Editor is set, the client runs as in an editor, where a person reads the output of the client. Only Headless uses
	// this field.
	Editor bool
	// Mode is the permission mode; empty means the client's default.
	Mode string
	// The field "Allowed" lists the tools that need no permission, in the client's notation.
	Allowed []string
	// Agents has subagents in addition to the project's subagents.
	Agents map[string]Agent
	// Agent is the agent of the main thread; empty means none.
	Agent string
	// Args lists additional arguments for the client.
	Args []string
	// Columns is the width of the terminal; 0 means 120. Only Interactive uses it.
	Columns int
	// Env lists additional environment variables, as KEY=value. The session's hooks receive them too.
	Env []string
}

// Agent is the definition of a subagent in the client's format.
type Agent struct {
	Description string   `json:"description"`
	Prompt      string   `json:"prompt"`
	Tools       []string `json:"tools,omitempty"`
}

// dummyKey lets the client start without an account. The scripted model ignores it.
const dummyKey = "sk-ant-a-key-that-opens-nothing-at-all"

// EditorClient is the entry point of a client that an editor started.
const EditorClient = "claude-vscode"

const bypassPermissions = "bypassPermissions"

// searchPath is the PATH of the client's shell.
const searchPath = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"

func (o *Options) environment() []string {
	env := []string{
		"PATH=" + searchPath,
		"HOME=" + o.Home,
		"ANTHROPIC_BASE_URL=" + o.Model,
		"ANTHROPIC_API_KEY=" + dummyKey,
		"DISABLE_TELEMETRY=1",
		"DISABLE_ERROR_REPORTING=1",
		"DISABLE_AUTOUPDATER=1",
		"CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1",
	}
	if o.Mode == bypassPermissions {
		// Without this variable, the client refuses this mode for root.
		env = append(env, "IS_SANDBOX=1")
	}
	if o.Editor {
		env = append(env, product.VariableEntrypoint+"="+EditorClient)
	}
	return append(env, o.Env...)
}

// arguments() returns the arguments that both headless and interactive clients need.
func (o *Options) arguments() ([]string, error) {
	var args []string
	if o.Mode != "" {
		args = append(args, "--permission-mode", o.Mode)
	}
	if o.Agent != "" {
		args = append(args, "--agent", o.Agent)
	}
	if len(o.Agents) > 0 {
		text, err := json.Marshal(o.Agents)
		if err != nil {
			return nil, fmt.Errorf("the agents of the session cannot be encoded: %w", err)
		}
		args = append(args, "--agents", string(text))
	}
	if len(o.Allowed) > 0 {
		args = append(append(args, "--allowedTools"), o.Allowed...)
	}
	return append(args, o.Args...), nil
}

// check() reports missing options. Without this check, the client would fail with a less helpful error.
func (o *Options) check() error {
	if info, err := os.Stat(o.Client); err != nil || info.IsDir() {
		return fmt.Errorf("the client %q is not a program; give the path of claude", o.Client)
	}
	for name, dir := range map[string]string{"project": o.Project, "home": o.Home} {
		if info, err := os.Stat(dir); err != nil || !info.IsDir() {
			return fmt.Errorf("the session's %s %q is not a folder; make it first", name, dir)
		}
	}
	if o.Model == "" {
		return fmt.Errorf("the session has no model; give the URL of one")
	}
	return nil
}
