package self

import (
	"strings"

	"guardrails/detect/effect"
	"guardrails/detect/toolcall/flags"
	"guardrails/detect/toolcall/trace"
	"guardrails/detect/toolcall/words"
)

// clientCommand finds the ways to start the client without its checks or to change its set-up.
func clientCommand(t *trace.Trace, c *trace.Command) trace.Flow {
	for i, v := range c.Args() {
		text := v.Text
		switch {
		case startsUnchecked(text):
			t.Mark(c, "starts the client without its usual checks ("+text+")", effect.GuardTamper)
		case i == 0 && text == "mcp" && flags.FirstOf(c.Args(), "remove", "rm", "reset-project-choices", "add", "add-json", "add-from-claude-desktop") != "",
			i == 0 && (text == "plugin" || text == "plugins") && flags.FirstOf(c.Args(), "install", "i", "enable", "disable", "uninstall", "remove", "add") != "",
			i == 0 && text == "config" && flags.FirstOf(c.Args(), "set", "add", "remove") != "":
			t.Mark(c, "changes the client's set-up", effect.GuardTamper)
		}
	}
	clientPrompt(t, c)
	clientElsewhere(t, c)
	return trace.Flow{Taint: trace.FromProgram}
}

// clientElsewhere notes a client that is given work where it may not read the project's settings, and so runs no hook.
func clientElsewhere(t *trace.Trace, c *trace.Command) {
	if flags.FirstOf(c.Args(), "-p", "--print", "--prompt") == "" {
		return
	}
	for name := range c.Scope.Vars {
		if LeadsToGuard(name) {
			t.Mark(c, "starts another client with folders of its own, where the guard is not found", effect.GuardTamper)
			return
		}
	}
	if c.Scope.Container == nil && (c.Scope.CwdUnknown || c.Scope.Cwd != t.Env.Root && c.Scope.Cwd != t.Env.Cwd) {
		t.Opaque(c.Span, "gives work to another client in "+c.Scope.Cwd+", where the project's hooks may not hold", effect.OpaqueExecution)
	}
}

// LeadsToGuard reports whether a variable says where the client's settings and the guard's files are.
func LeadsToGuard(name string) bool {
	return words.OneOf(name, "HOME", "XDG_RUNTIME_DIR", "XDG_STATE_HOME", "TMPDIR")
}

// otherAgent is another coding agent: what it does no hook of this product sees.
func otherAgent(t *trace.Trace, c *trace.Command) trace.Flow {
	if flags.AsksForHelp(c) || flags.FirstOf(c.Args(), "--version", "-V", "login", "logout", "mcp", "config", "auth", "update", "upgrade") != "" {
		return trace.Flow{Taint: trace.FromProgram}
	}
	if len(c.Argv) > 1 {
		t.Opaque(c.Span, "gives work to "+c.Name+", another agent, which no hook watches", effect.OpaqueExecution)
	}
	return trace.Flow{Taint: trace.FromProgram}
}

// startsUnchecked reports whether an argument takes hooks, settings or permissions away from the client that it starts.
func startsUnchecked(text string) bool {
	if name, _, _ := strings.Cut(text, "="); strings.HasPrefix(name, "--") {
		if name == words.Among(name, "--settings --mcp-config --plugin-dir --setting-sources --bare --managed-settings") {
			return true
		}
		return strings.HasPrefix(name, "--dangerously-") || strings.HasPrefix(name, "--allow-dangerously-") || strings.HasPrefix(name, "--safe") || strings.HasSuffix(text, "=bypassPermissions")
	}
	return text == "bypassPermissions"
}

// clientPrompt finds what a nested client is told that only a person may say: the answer to the guard's question.
func clientPrompt(t *trace.Trace, c *trace.Command) {
	told := c.In.Known && SpeaksToGuard(c.In.Text)
	for _, v := range c.Args() {
		told = told || SpeaksToGuard(v.Text)
	}
	if told {
		t.Mark(c, "answers the guard's question in the place of a person", effect.GuardTamper)
	}
}

// SpeaksToGuard reports whether a text, or a line of it, is what a person says to the guard in a prompt: guardrails: open.
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

// SwitchesHooks reports whether a setting of the client says which hooks and servers it runs, and with what.
func SwitchesHooks(setting string) bool {
	first, _, _ := strings.Cut(setting, ".")
	switch strings.ToLower(first) {
	case "hooks", "disableallhooks", "env", "enabledmcpjsonservers", "disabledmcpjsonservers", "enableallprojectmcpservers", "allowmanagedhooksonly", "statusline":
		return true
	}
	return false
}
