package toolcall

import "strings"

// secretRunner is a program that runs another one with secrets in its environment, and does other things too.
func secretRunner(a *analyzer, c *command) flow {
	for i, v := range c.argv[1:] {
		if v.text == "--" && i+2 < len(c.argv) {
			return a.again(c, c.argv[i+2:])
		}
	}
	if verb := argAt(c.argv, 1); verb == "exec" || verb == "run" {
		skip := 2 + btoi(c.name == "direnv" || c.name == "aws-vault" || c.name == "chamber")
		return a.again(c, c.argv[min(skip, len(c.argv)):])
	}
	return a.plainProgram(c)
}

// typescript is script: it records a session, and with -c runs a command.
func typescript(a *analyzer, c *command) flow {
	o := parseOptions(c.args(), "c command t T I O B E")
	for _, v := range o.values("c command") {
		a.runText(c, v)
	}
	if len(o.operands) > 0 {
		a.write(o.operands[0], c.sc, c.span)
	}
	return unknown()
}

// multiplexer is tmux or screen: what starts a window runs its arguments, what sends keys types them.
func multiplexer(a *analyzer, c *command) flow {
	const withValue = "S L f c n t x y s e F T"
	o, operands := leadingOptions(c.args(), withValue)
	if c.name == "screen" && o.has("X") && len(operands) > 0 {
		a.screenCommand(c, operands)
		return unknown()
	}
	if c.name == "tmux" && len(operands) > 0 {
		switch operands[0].text {
		case "send-keys", "send":
			a.sendsKeys(c, operands[1:], o.has("L"))
			_, operands = leadingOptions(operands[1:], withValue)
		case "set-environment", "setenv":
			a.setsVariables(c, operands[1:])
			return unknown()
		case "set-buffer", "setb":
			a.typed(c, operands[1:])
			return unknown()
		case "new", "new-session", "neww", "new-window", "split-window", "splitw", "respawn-pane", "respawn-window",
			"run-shell", "run", "if-shell", "pipe-pane", "popup", "display-popup":
			_, operands = leadingOptions(operands[1:], withValue)
		default:
			return unknown()
		}
	}
	if len(operands) == 1 || len(operands) > 1 && strings.ContainsAny(operands[0].text, " ;") {
		for _, v := range operands {
			a.runText(c, v)
		}
		return unknown()
	}
	return a.again(c, operands)
}

// flock runs a command while it holds a lock: behind the lock's file, or with -c as text for a shell.
func flock(a *analyzer, c *command) flow {
	const withValue = "w E timeout wait conflict-exit-code"
	_, rest := leadingOptions(c.args(), withValue)
	if len(rest) < 2 {
		return c.in
	}
	if len(rest) > 2 && (rest[1].text == "-c" || rest[1].text == "--command") {
		return a.runText(c, rest[2])
	}
	_, inner := leadingOptions(rest[1:], withValue)
	return a.again(c, inner)
}
