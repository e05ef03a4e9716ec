package toolcall

import "guardrails/detect/effect"

// startupHandler knows the programs that set up what git or a shell runs by itself later.
func startupHandler(name string) handler {
	switch name {
	case "husky", "pre-commit", "lefthook", "simple-git-hooks":
		return hookTool
	case "direnv":
		return direnv
	}
	return nil
}

// hookTool is a program that puts itself into git's hooks.
func hookTool(a *analyzer, c *command) flow {
	o := parseOptions(c.args(), "t hook-type c config")
	if o.has("help h version V") {
		return flow{taint: fromProgram}
	}
	switch verb := o.word(0); {
	case verb == "install" || verb == "init" || verb == "add" || verb == "set", verb == "" && c.name != "pre-commit" && c.name != "lefthook":
		a.mark(c, "sets up hooks that git runs by itself later ("+c.name+")", effect.StartupChange)
	}
	return flow{taint: fromProgram}
}

// direnv lets a file run whenever a shell enters its folder.
func direnv(a *analyzer, c *command) flow {
	switch o := parseOptions(c.args(), ""); o.word(0) {
	case "allow", "permit", "grant", "edit":
		a.mark(c, "lets .envrc run in every shell that enters the folder", effect.StartupChange)
	case "exec":
		if len(o.operands) > 2 {
			return a.again(c, o.operands[2:])
		}
	}
	return flow{taint: fromProgram}
}
