package toolcall

import (
	"strings"

	"guardrails/detect/effect"
)

// clientCommand finds the ways to start the client without its checks or to change its set-up.
func clientCommand(a *analyzer, c *command) flow {
	for i, v := range c.args() {
		text := v.text
		switch {
		case startsUnchecked(text):
			a.mark(c, "starts the client without its usual checks ("+text+")", effect.GuardTamper)
		case i == 0 && text == "mcp" && firstOf(c.args(), "remove", "rm", "reset-project-choices", "add", "add-json", "add-from-claude-desktop") != "",
			i == 0 && (text == "plugin" || text == "plugins") && firstOf(c.args(), "install", "i", "enable", "disable", "uninstall", "remove", "add") != "",
			i == 0 && text == "config" && firstOf(c.args(), "set", "add", "remove") != "":
			a.mark(c, "changes the client's set-up", effect.GuardTamper)
		}
	}
	a.clientPrompt(c)
	a.clientElsewhere(c)
	return flow{taint: fromProgram}
}

// clientElsewhere notes a client that is given work where it may not read the project's settings, and so runs no hook.
func (a *analyzer) clientElsewhere(c *command) {
	if firstOf(c.args(), "-p", "--print", "--prompt") == "" {
		return
	}
	for name := range c.sc.vars {
		if leadsToGuard(name) {
			a.mark(c, "starts another client with folders of its own, where the guard is not found", effect.GuardTamper)
			return
		}
	}
	if c.sc.box == nil && (c.sc.cwdUnknown || c.sc.cwd != a.env.Root && c.sc.cwd != a.env.Cwd) {
		a.opaque(c.span, "gives work to another client in "+c.sc.cwd+", where the project's hooks may not hold", effect.OpaqueExecution)
	}
}

// leadsToGuard reports whether a variable says where the client's settings and the guard's files are.
func leadsToGuard(name string) bool {
	return oneOf(name, "HOME", "XDG_RUNTIME_DIR", "XDG_STATE_HOME", "TMPDIR")
}

// otherAgent is another coding agent: what it does no hook of this product sees.
func otherAgent(a *analyzer, c *command) flow {
	if asksForHelp(c) || firstOf(c.args(), "--version", "-V", "login", "logout", "mcp", "config", "auth", "update", "upgrade") != "" {
		return flow{taint: fromProgram}
	}
	if len(c.argv) > 1 {
		a.opaque(c.span, "gives work to "+c.name+", another agent, which no hook watches", effect.OpaqueExecution)
	}
	return flow{taint: fromProgram}
}

// startsUnchecked reports whether an argument takes hooks, settings or permissions away from the client that it starts.
func startsUnchecked(text string) bool {
	if name, _, _ := strings.Cut(text, "="); strings.HasPrefix(name, "--") {
		if name == among(name, "--settings --mcp-config --plugin-dir --setting-sources --bare --managed-settings") {
			return true
		}
		return strings.HasPrefix(name, "--dangerously-") || strings.HasPrefix(name, "--allow-dangerously-") || strings.HasPrefix(name, "--safe") || strings.HasSuffix(text, "=bypassPermissions")
	}
	return text == "bypassPermissions"
}

// clientPrompt finds what a nested client is told that only a person may say: the answer to the guard's question.
func (a *analyzer) clientPrompt(c *command) {
	told := c.in.known && speaksToGuard(c.in.text)
	for _, v := range c.args() {
		told = told || speaksToGuard(v.text)
	}
	if told {
		a.mark(c, "answers the guard's question in the place of a person", effect.GuardTamper)
	}
}

// speaksToGuard reports whether a text, or a line of it, is what a person says to the guard in a prompt: guardrails: open.
func speaksToGuard(text string) bool {
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

// switchesHooks reports whether a setting of the client says which hooks and servers it runs, and with what.
func switchesHooks(setting string) bool {
	first, _, _ := strings.Cut(setting, ".")
	switch strings.ToLower(first) {
	case "hooks", "disableallhooks", "env", "enabledmcpjsonservers", "disabledmcpjsonservers", "enableallprojectmcpservers", "allowmanagedhooksonly", "statusline":
		return true
	}
	return false
}

// promptTool is a tool of the client that makes prompts: at a time, or for another agent.
func (a *analyzer) promptTool(t *toolCall) {
	e := a.use(t)
	for _, name := range [...]string{"prompt", "message", "content", "text", "reason"} {
		for _, text := range t.texts(name) {
			if speaksToGuard(text) {
				e.Note("answers the guard's question in the place of a person", effect.GuardTamper)
			}
		}
	}
}
