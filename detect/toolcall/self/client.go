package self

import (
	"strings"

	"guardrails/detect/effect"
	"guardrails/detect/toolcall/flags"
	"guardrails/detect/toolcall/trace"
	"guardrails/detect/toolcall/words"
	"guardrails/internal/product"
)

// clientCommand marks a command that starts the client without its checks, or changes the client's version or settings.
func clientCommand(t *trace.Trace, c *trace.Command) trace.Flow {
	markProject(t, c)
	for i, v := range c.Args() {
		text := v.Text
		switch {
		case startsUnchecked(text):
			t.Mark(c, "starts the client without its usual checks ("+text+")", effect.GuardTamper)
		case i == 0 && text == "mcp" && concernsOther(c.Args()):
			t.Mark(c, "changes which MCP servers Claude Code starts", effect.StartupChange)
		case i == 0 && changesSettings(text, c.Args()):
			t.Mark(c, "changes the client's version or settings", effect.GuardTamper)
		}
	}
	clientPrompt(t, c)
	clientWithoutHooks(t, c)
	if c.Run < len(t.Effects) && !flags.AsksForHelp(c) && !words.OneOf(trace.ArgAt(c.Argv, 1), managesClient) {
		t.Effects[c.Run].Name = "main" // the new client starts with its main agent
	}
	return trace.Flow{Taint: trace.FromProgram}
}

// The constant managesClient lists subcommands and options of the client that give no task to an agent.
const managesClient = "-v mcp config update doctor install plugin plugins auth setup-token"

// concernsOther reports whether a command of the client adds or removes an MCP server other than the server of the
// guard.
func concernsOther(args []trace.Value) bool {
	if len(args) < 3 || !words.OneOf(args[1].Text, "add add-json remove rm") {
		return false
	}
	for _, v := range args {
		if v.Partial || strings.Contains(strings.ToLower(v.Text), product.MCPServer) || strings.Contains(v.Text, `\u`) {
			return false
		}
	}
	return true
}

// changesSettings reports whether a command of the client changes the client's version, servers, plugins or
// configuration.
func changesSettings(command string, args []trace.Value) bool {
	switch command {
	case "install":
		return len(args) > 1 && !words.OneOf(args[1].Text, "latest stable") && !strings.HasPrefix(args[1].Text, "-")
	case "mcp":
		return flags.FirstOf(args, "remove rm reset-project-choices add add-json add-from-claude-desktop") != ""
	case "plugin", "plugins":
		return flags.FirstOf(args, "install i enable disable uninstall remove add") != ""
	case "config":
		return flags.FirstOf(args, "set add remove") != ""
	}
	return false
}

// MarkClientVersion marks a command that installs or runs another version of the client, because that version possibly
// calls no hooks.
func MarkClientVersion(t *trace.Trace, c *trace.Command) {
	for _, v := range c.Args() {
		_, version, ok := strings.Cut(v.Text, "@anthropic-ai/claude-code@")
		if ok && !words.OneOf(version, "latest stable next") {
			t.Mark(c, "installs or runs version "+version+" of the client, and that version might not call the guard", effect.GuardTamper)
		}
	}
}

// clientWithoutHooks marks a command that starts another client in another folder, or with other values for variables
// such as HOME. That client may ignore the settings of the project and run without hooks.
func clientWithoutHooks(t *trace.Trace, c *trace.Command) {
	if flags.FirstOf(c.Args(), "-p --print --prompt") == "" {
		return
	}
	if setsAny(c.Scope, product.MovingVariables) {
		t.Mark(c, "starts another client that looks in other folders and may not find the guard", effect.GuardTamper)
		return
	}
	if c.Scope.Container == nil && (c.Scope.CwdUnknown || c.Scope.Cwd != t.Env.Root && c.Scope.Cwd != t.Env.Cwd) {
		reason := "starts another client in " + c.Scope.Cwd + ", where the project's hooks may not run"
		t.Opaque(c.Span, reason, effect.OpaqueExecution)
	}
}

// markProject marks a command of the guard or of the client that runs with another value of the variable that names the
// project. For other programs, this variable has no meaning.
func markProject(t *trace.Trace, c *trace.Command) {
	if setsAny(c.Scope, product.VariableProject) {
		t.Mark(c, "changes "+product.VariableProject+", which the guard depends on", effect.GuardTamper)
	}
}

// setsAny reports whether the script has set one of the variables in a list.
func setsAny(sc *trace.Scope, list string) bool {
	for _, name := range strings.Split(list, " ") {
		if _, ok := sc.Vars.Find(name); ok {
			return true
		}
	}
	return false
}

// OtherAgent marks a command that gives a task to another coding agent, because that agent does not run the guard's
// hooks.
func OtherAgent(t *trace.Trace, c *trace.Command) trace.Flow {
	if !flags.AsksForHelp(c) && len(c.Argv) > 1 && !givesNoTask(c.Name, c.Args()) {
		t.Opaque(c.Span, "starts another agent, "+c.Name+", whose calls the guard does not check", effect.OpaqueExecution)
	}
	return trace.Flow{Taint: trace.FromProgram}
}

// givesNoTask reports whether the first argument is a subcommand that gives the agent no task, such as "login". A word
// after the first argument may be a part of the task.
func givesNoTask(agent string, args []trace.Value) bool {
	first, second := args[0].Text, trace.ArgAt(args, 1)
	if len(args) == 1 && words.OneOf(first, "-V -v") && agent != "aider" || len(args) == 2 && words.OneOf(second, "--help -h") {
		return true
	}
	if words.OneOf(first, "mcp extensions features threads session") {
		return words.OneOf(second, "list ls get show")
	}
	return words.OneOf(agent+":"+first, plainOrders)
}

// The constant plainOrders lists agents and their subcommands that give them no task.
const plainOrders = "codex:login codex:logout codex:completion codex:update " +
	"gemini:--list-extensions opencode:auth opencode:models opencode:stats opencode:upgrade " +
	"cursor-agent:login cursor-agent:logout cursor-agent:models cursor-agent:status cursor-agent:update " +
	"crush:login crush:logs crush:models amp:login amp:logout amp:update amp:usage"

// MarkAgent marks a program that acts as another coding agent only with certain arguments, such as "q chat".
func MarkAgent(t *trace.Trace, c *trace.Command) {
	switch c.Name {
	case "copilot":
		if flags.FirstOf(c.Args(), "-p --prompt --allow-all-tools --allow-all --yolo") != "" {
			OtherAgent(t, c)
		}
	case "q", "kiro-cli":
		if trace.ArgAt(c.Argv, 1) == "chat" {
			OtherAgent(t, c)
		}
	}
}

// startsUnchecked reports whether an argument makes the client start without its usual hooks, settings or permissions.
func startsUnchecked(text string) bool {
	if name, _, _ := strings.Cut(text, "="); strings.HasPrefix(name, "--") {
		if name == words.Among(name, "--settings --mcp-config --plugin-dir --setting-sources --bare --managed-settings") {
			return true
		}
		return strings.HasPrefix(name, "--dangerously-") || strings.HasPrefix(name, "--allow-dangerously-") ||
			strings.HasPrefix(name, "--safe") || strings.HasSuffix(text, "=bypassPermissions")
	}
	return text == "bypassPermissions"
}

// clientPrompt marks a command that starts another client with a prompt, if the prompt answers a question of the guard.
// Only a person may answer such a question.
func clientPrompt(t *trace.Trace, c *trace.Command) {
	answers := c.In.Known && SpeaksToGuard(c.In.Text)
	for _, v := range c.Args() {
		answers = answers || SpeaksToGuard(v.Text)
	}
	if answers {
		t.Mark(c, AnswersForPerson, effect.GuardTamper)
	}
}

// AnswersForPerson is the reason for an event of a call that answers a question of the guard. Only a person may answer
// such a question.
const AnswersForPerson = "answers the guard's question in place of a person"

// SpeaksToGuard reports whether one of the lines of a text is a command for the guard, such as "guardrails: open". Only
// a person may write such a command in a prompt.
func SpeaksToGuard(text string) bool {
	const key = "guardrails:"
	for len(text) >= len(key) {
		i := strings.IndexAny(text, "gG")
		if i < 0 || len(text)-i < len(key) {
			return false
		}
		if strings.EqualFold(text[i:i+len(key)], key) && strings.TrimRight(text[:i], " \t\"'") == "" {
			return true
		}
		next := strings.IndexByte(text, '\n')
		if next < 0 {
			return false
		}
		text = text[next+1:]
	}
	return false
}

// DecidesHooks reports whether the hooks and servers that the client runs depend on this setting.
func DecidesHooks(setting string) bool {
	first, _, _ := strings.Cut(setting, ".")
	switch strings.ToLower(first) {
	case "hooks", "disableallhooks", "env", "enabledmcpjsonservers", "disabledmcpjsonservers",
		"enableallprojectmcpservers", "allowmanagedhooksonly", "statusline":
		return true
	}
	return false
}
