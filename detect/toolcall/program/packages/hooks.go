package packages

import (
	"guardrails/detect/effect"
	"guardrails/detect/toolcall/flags"
	"guardrails/detect/toolcall/trace"
	"guardrails/detect/toolcall/words"
)

// StartupHandler returns the handler of a program that installs git hooks, or files that a shell runs automatically. It
// returns nil for other programs.
func StartupHandler(name string) trace.Handler {
	switch name {
	case words.Among(name, "husky pre-commit prek lefthook simple-git-hooks"):
		return hookTool
	case "direnv":
		return direnv
	}
	return nil
}

// hookTool analyzes a program that installs git hooks. Installing the hooks is harmless, because their commands are in
// files of the project. Adding a command to a hook is not harmless.
func hookTool(t *trace.Trace, c *trace.Command) trace.Flow {
	o := flags.Parse(c.Args(), "t hook-type c config")
	if o.Has("help h version V") {
		return trace.Flow{Taint: trace.FromProgram}
	}
	switch verb := o.Word(0); verb {
	case "add", "set":
		t.Mark(c, "sets up hooks that git runs automatically later ("+c.Name+")", effect.StartupChange)
	case "run":
		t.MarkTest(c)
	}
	return trace.Flow{Taint: trace.FromProgram}
}

// The function direnv analyzes the program direnv, which runs the file .envrc of a folder whenever a shell enters this
// folder.
func direnv(t *trace.Trace, c *trace.Command) trace.Flow {
	switch o := flags.Parse(c.Args(), ""); o.Word(0) {
	case "allow", "permit", "grant", "edit":
		t.Mark(c, "lets .envrc run in every shell that enters the folder", effect.StartupChange)
	case "exec":
		if len(o.Operands) > 2 {
			return t.RunInner(c, o.Operands[2:])
		}
	}
	return trace.Flow{Taint: trace.FromProgram}
}
