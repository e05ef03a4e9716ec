package tooluse

import "strings"

// guardHandler knows this product's own command line and the client's: what a person may type there an agent may not.
func guardHandler(name string) handler {
	switch name {
	case "guardrails", "guardrails-inject", "guardrails-enforce", "guardrails-subagent", "guardrails-stop", "guardrails-server":
		return ownCommand
	case "claude":
		return clientCommand
	}
	return nil
}

// ownCommand lets an agent look, and no more.
func ownCommand(a *analyzer, c *command) flow {
	o := parseOptions(c.args(), "g guidelines o output agent domain action tool command path")
	switch verb := o.word(0); verb {
	case "call":
		if tool := o.word(1); tool != "guardrails_get_context" && tool != "" {
			a.mark(c, "changes what the guard does (guardrails call "+tool+")", GuardTamper)
		}
	case "allow-once", "fallback", "init", "delete", "toggle", "restore", "apply", "import", "bootstrap":
		if verb == "fallback" && len(o.operands) == 1 || o.has("help", "h", "dry-run") || o.word(1) == "status" {
			break
		}
		a.mark(c, "changes what the guard does (guardrails "+verb+")", GuardTamper)
	}
	return flow{taint: fromProgram}
}

// clientCommand finds the ways to start the client without its checks or to change its set-up.
func clientCommand(a *analyzer, c *command) flow {
	for i, v := range c.args() {
		text := v.text
		switch {
		case strings.HasPrefix(text, "--dangerously-"), text == "bypassPermissions", strings.HasSuffix(text, "=bypassPermissions"),
			text == "--settings", text == "--mcp-config", strings.HasPrefix(text, "--mcp-config="), text == "--plugin-dir", strings.HasPrefix(text, "--settings="), text == "--setting-sources":
			a.mark(c, "starts the client without its usual checks ("+text+")", GuardTamper)
		case i == 0 && text == "mcp" && firstOf(c.args(), "remove", "rm", "reset-project-choices", "add", "add-json", "add-from-claude-desktop") != "",
			i == 0 && (text == "plugin" || text == "plugins") && firstOf(c.args(), "install", "i", "enable", "disable", "uninstall", "remove", "add") != "",
			i == 0 && text == "config" && firstOf(c.args(), "set", "add", "remove") != "":
			a.mark(c, "changes the client's set-up", GuardTamper)
		}
	}
	return flow{taint: fromProgram}
}

// ownPort is where the guard's server listens when nothing else is said.
const ownPort = "7117"

// ownServer finds calls of the guard's server that change something.
func (a *analyzer) ownServer(c *command, o *options, url string, sends bool) {
	method := firstText(o.values("X", "request"))
	changes := sends || method != "" && !strings.EqualFold(method, "GET") && !strings.EqualFold(method, "HEAD")
	if host := hostOf(url); changes && (strings.Contains(url, ":"+ownPort) || strings.Contains(url, "/api/guardrails")) &&
		(strings.HasPrefix(host, "localhost") || strings.HasPrefix(host, "127.") || strings.Contains(host, "::1") || strings.HasPrefix(host, "0.0.0.0")) {
		a.mark(c, "changes what the guard's server holds", GuardTamper)
	}
}

// ownSource takes go run of the guard's own source for the guard itself.
func (a *analyzer) ownSource(c *command, source string) {
	name := baseName(strings.TrimRight(source, "/"))
	if !strings.HasPrefix(name, "guardrails") || guardHandler(name) == nil {
		return
	}
	for i, v := range c.argv {
		if v.text == source {
			a.again(c, append([]value{{text: name}}, c.argv[i+1:]...))
			return
		}
	}
}

// meansGuard reports whether a pattern of names takes in the guard's: guard, or guardrail[s].
func meansGuard(pattern string) bool {
	const shortest = 5
	plain := strings.NewReplacer("[", "", "]", "", "^", "", "$", "", ".*", "", "\\", "").Replace(strings.ToLower(pattern))
	const name = "guardrails"
	start := min(len(plain), len(name))
	return len(plain) >= shortest && plain[:start] == name[:start]
}

// settingNames adds to a builtin that sets the variables which it is given the names of those that the guard needs.
func settingNames(h handler) handler {
	return func(a *analyzer, c *command) flow {
		for i, v := range c.args() {
			if isGuardVariable(v.text) && (c.name != "printf" || i == 1 && c.argv[1].text == "-v") {
				a.mark(c, "changes "+v.text+", which the guard depends on", GuardTamper)
			}
		}
		return h(a, c)
	}
}
