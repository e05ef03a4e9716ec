package tooluse

import "strings"

// guardHandler knows this product's own command line and the client's: what a person may type there an agent may not.
func guardHandler(name string) handler {
	switch name {
	case "guardrails", "guardrails-inject", "guardrails-enforce", "guardrails-subagent", "guardrails-stop":
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
			text == "--settings", strings.HasPrefix(text, "--settings="), text == "--setting-sources":
			a.mark(c, "starts the client without its usual checks ("+text+")", GuardTamper)
		case i == 0 && text == "mcp" && firstOf(c.args(), "remove", "rm", "reset-project-choices") != "",
			i == 0 && text == "config" && firstOf(c.args(), "set", "add", "remove") != "":
			a.mark(c, "changes the client's set-up", GuardTamper)
		}
	}
	return flow{taint: fromProgram}
}
