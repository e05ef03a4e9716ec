package wrapper

import (
	"strings"

	"guardrails/detect/toolcall/flags"
	"guardrails/detect/toolcall/program"
	"guardrails/detect/toolcall/self"
	"guardrails/detect/toolcall/trace"
	"guardrails/detect/toolcall/words"
)

// secretRunner analyzes programs that can run another program with secrets in its environment.
func secretRunner(t *trace.Trace, c *trace.Command) trace.Flow {
	if inner, ok := flags.AfterDashes(c.Args()); ok && len(inner) > 0 {
		if trace.ArgAt(c.Argv, 2) == ".env.test" {
			// The file .env.test names the test database.
			c.Scope = c.Scope.Sub()
			c.Scope.SetScalar("DATABASE_URL", trace.Value{Text: "file:test.db"})
		}
		return program.RunWithSecrets(t, c, inner)
	}
	verb := trace.ArgAt(c.Argv, 1)
	if verb == "exec" || verb == "run" {
		skip := 2 + words.Btoi(c.Name == "direnv" || c.Name == "aws-vault" || c.Name == "chamber")
		return program.RunWithSecrets(t, c, c.Argv[min(skip, len(c.Argv)):])
	}
	if words.OneOf(verb, "export read") && c.Name != "direnv" {
		return program.Judge(t, c, program.Reveals, c.Name+" "+verb)
	}
	if strings.HasPrefix(c.Name, "dotenv") && printsSecret(c.Args()) {
		return t.ReadFlow(trace.Value{Text: ".env"}, c.Scope, c.Span)
	}
	return program.Plain(t, c)
}

// printsSecret reports whether a call of dotenv prints secrets. "dotenv list" prints all variables of a file. "dotenv
// get NAME" and "dotenv -p NAME" print one variable. For these two commands, printsSecret returns true only if the
// variable is a secret.
func printsSecret(args []trace.Value) bool {
	o := flags.Parse(args, "f file e v c q quote p")
	for _, v := range o.Values("p") {
		if v.Partial || trace.IsSecretVariable(v.Text) {
			return true
		}
	}
	return o.Word(0) == "list" || o.Word(0) == "get" && trace.IsSecretVariable(o.Word(1))
}

// The function typescript analyzes the program named "script", which records a session. With -c, it runs a command.
func typescript(t *trace.Trace, c *trace.Command) trace.Flow {
	o := flags.Parse(c.Args(), flags.Abbreviates+"c command t T I O B E")
	t.RunTexts(c, o.Values("c command"))
	if len(o.Operands) > 0 {
		t.Write(o.Operands[0], c.Scope, c.Span)
	}
	return trace.Unknown()
}

// multiplexer() analyzes tmux and similar programs. Subcommands that open a window run their arguments as a command.
// Subcommands that send keys type their arguments into a shell.
func multiplexer(t *trace.Trace, c *trace.Command) trace.Flow {
	for i, v := range c.Argv {
		if word, ends := strings.CutSuffix(v.Text, ";"); ends && c.Name == "tmux" { // another command of tmux follows
			next := append([]trace.Value{c.Argv[0]}, c.Argv[i+1:]...)
			inner := *c
			inner.Argv = c.Argv[:i:i]
			if v.Text = word; word != "" {
				inner.Argv = append(inner.Argv, v)
			}
			multiplexer(t, &inner)
			return t.RunInner(c, next)
		}
	}
	const spec = "S L f c n t x y s e F T"
	o, operands := flags.ParseLeading(c.Args(), spec)
	if c.Name == "screen" && o.Has("X") && len(operands) > 0 {
		if operands[0].Text == "exec" || operands[0].Text == "screen" {
			return t.RunInner(c, operands[1:])
		}
		self.ScreenCommand(t, c, operands)
		return trace.Unknown()
	}
	if c.Name == "tmux" && len(operands) > 0 {
		switch operands[0].Text {
		case "send-keys", "send":
			self.TmuxSendKeys(t, c, operands[1:], o.Has("L"))
			operands = flags.SkipLeading(operands[1:], spec)
		case "set-environment", "setenv":
			t.SetsVariables(c, operands[1:])
			return trace.Unknown()
		case "paste-buffer", "pasteb":
			if !o.Has("L S") {
				self.TmuxPaste(t, c)
			}
			return trace.Unknown()
		case "load-buffer", "loadb":
			if operands = flags.SkipLeading(operands[1:], spec+" b w"); len(operands) > 0 {
				f := c.In
				if operands[0].Text != "-" {
					f = t.ReadFlow(operands[0], c.Scope, c.Span)
				}
				self.MarkTyping(t, c, []trace.Value{{Text: f.Text}})
				if strings.Contains(t.Source, "paste") {
					t.RunText(c, trace.Value{Text: f.Text}) // a terminal gets this text
				}
			}
			return trace.Unknown()
		case "set-buffer", "setb":
			operands = flags.SkipLeading(operands[1:], spec+" b")
			self.MarkTyping(t, c, operands)
			for _, v := range operands[:min(1, len(operands))] {
				if strings.Contains(t.Source, "paste") || strings.HasSuffix(v.Text, "\n") {
					t.RunText(c, v) // a terminal gets this text
				}
			}
			return trace.Unknown()
		case words.Among(operands[0].Text, "new new-session neww new-window split-window splitw respawn-pane "+
			"respawn-window run-shell run pipe-pane popup display-popup"):
			operands = flags.SkipLeading(operands[1:], spec)
		case "if-shell", "if":
			operands = flags.SkipLeading(operands[1:], spec)
			if len(operands) > 0 {
				t.RunText(c, operands[0])
				tmuxCommands(t, c, operands[1:])
			}
			return trace.Unknown()
		case "set-hook", "set", "set-option":
			verb, named := operands[0].Text, flags.SkipLeading(operands[1:], spec)
			switch {
			case len(named) < 2:
			case verb == "set-hook":
				tmuxCommands(t, c, named[1:])
			case named[0].Text == "default-command":
				t.RunText(c, named[1])
			}
			return trace.Unknown()
		case "bind", "bind-key":
			return t.RunInner(c, append([]trace.Value{c.Argv[0]}, flags.SkipLeading(operands[min(2, len(operands)):], spec)...))
		default:
			return trace.Unknown()
		}
	}
	if len(operands) == 1 || len(operands) > 1 && strings.ContainsAny(operands[0].Text, " ;") {
		for _, v := range operands {
			t.RunText(c, v)
		}
		return trace.Unknown()
	}
	return t.RunInner(c, operands)
}

// tmuxCommands analyzes texts that are commands of tmux.
func tmuxCommands(t *trace.Trace, c *trace.Command, texts []trace.Value) {
	for _, v := range texts {
		v.Text = "tmux " + v.Text
		t.RunText(c, v)
	}
}

// The function flock analyzes the program flock, which runs a command while it holds a lock. The command follows the
// lock file or the flag -c.
func flock(t *trace.Trace, c *trace.Command) trace.Flow {
	const spec = flags.Abbreviates + "w E c timeout wait conflict-exit-code command"
	rest := flags.SkipLeading(c.Args(), spec)
	if len(rest) < 2 {
		return c.In
	}
	o, inner := flags.ParseLeading(rest[1:], spec)
	if scripts := o.Values("c command"); len(scripts) > 0 {
		return t.RunText(c, scripts[0])
	}
	return t.RunInner(c, inner)
}
