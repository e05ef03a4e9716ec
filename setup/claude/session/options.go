// Package session runs a real Claude Code client against the caller's own model. The client sees nothing of the user's:
// no account, no settings, no history.
//
// Start with Headless, which runs one prompt and returns what happened, or with Start, which opens the interactive
// client in its own terminal and types as a person would.
package session

import (
	"encoding/json"
	"fmt"
	"os"
)

// Options say which client to run, where and how.
type Options struct {
	// Client is the path of the program.
	Client string
	// Project is the folder in which the client works, with its settings.
	Project string
	// Home is the client's HOME, a separate folder.
	Home string
	// Model is the URL of the model's server.
	Model string
	// Prompt is the user's prompt, for Headless only.
	Prompt string
	// Mode is the permission mode; empty means the client's default.
	Mode string
	// Allowed are the tools that need no permission, in the client's notation.
	Allowed []string
	// Agents are subagents in addition to those of the project.
	Agents map[string]Agent
	// Agent is the agent of the main thread; empty means none.
	Agent string
	// Args are more arguments for the client.
	Args []string
	// Columns is the width of the terminal; 0 means 120. Interactive only.
	Columns int
	// Env are more variables, as KEY=value. The session's hooks get them too.
	Env []string
}

// Agent is a subagent's definition, as the client takes it.
type Agent struct {
	Description string   `json:"description"`
	Prompt      string   `json:"prompt"`
	Tools       []string `json:"tools,omitempty"`
}

// dummyKey lets the client start without an account. The scripted model ignores it.
const dummyKey = "sk-ant-a-key-that-opens-nothing-at-all"

const bypassPermissions = "bypassPermissions"

// searchPath is the PATH of the client's shell.
const searchPath = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"

// environment returns the client's whole environment.
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
		// Without this variable the client refuses the mode for root.
		env = append(env, "IS_SANDBOX=1")
	}
	return append(env, o.Env...)
}

// arguments returns the arguments that headless and interactive clients share.
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
			return nil, fmt.Errorf("agents of the session: %w", err)
		}
		args = append(args, "--agents", string(text))
	}
	if len(o.Allowed) > 0 {
		args = append(append(args, "--allowedTools"), o.Allowed...)
	}
	return append(args, o.Args...), nil
}

// check reports a missing option before the client fails because of it.
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
