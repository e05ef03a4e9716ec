package git

import (
	"strings"

	"guardrails/detect/effect"
	"guardrails/detect/toolcall/trace"
	"guardrails/detect/toolcall/words"
)

// configArg reads the argument of "git -c", which has the form key=value. It adds an alias to the parameter "aliases",
// and judges any other setting.
func configArg(t *trace.Trace, c *trace.Command, v trace.Value, aliases map[string]string) map[string]string {
	key, val, _ := strings.Cut(v.Text, "=")
	if name, ok := strings.CutPrefix(strings.ToLower(key), "alias."); ok {
		if aliases == nil {
			aliases = map[string]string{}
		}
		aliases[name] = val
		return aliases
	}
	judgeSetting(t, c, key, trace.Value{Text: val, Quality: trace.Quality{Partial: v.Partial}}, false)
	return aliases
}

// judgeSetting judges a setting of git. Some settings are commands that git runs. If the parameter "lasting" is set,
// git saves the setting in a file.
func judgeSetting(t *trace.Trace, c *trace.Command, key string, v trace.Value, lasting bool) {
	key = strings.ToLower(key)
	reason, event := "", effect.StartupChange
	switch {
	case key == hooksPath || key == "init.templatedir":
		reason = "changes which hooks git runs"
		if v.Text == "/dev/null" && !lasting {
			reason, event = "turns off the repository's hooks", effect.DefenseOff
		}
	case strings.HasPrefix(key, "alias."):
		defineAlias(t, c, strings.TrimPrefix(key, "alias."), v)
	case strings.HasPrefix(key, "remote.") && overwritesByDefault(key, v.Text):
		reason, event = "makes each push overwrite branches of the remote", effect.ForcePush
	case key == "protocol.ext.allow" && v.Text != "never" && lasting,
		strings.HasPrefix(key, "submodule.") && strings.HasSuffix(key, ".update") && strings.HasPrefix(v.Text, "!"):
		reason = "makes git run a command that a repository names"
	case isCommandSetting(key):
		if lasting && !isUsualProgram(v.Text) {
			reason = "makes git run " + v.Text
		}
		if script := strings.TrimPrefix(v.Text, "!"); script != "" && !v.Partial {
			t.Inside(c.Span, func() trace.Flow { return t.Shell(script, c.Scope.Sub(), trace.Nothing()) })
		}
	case !lasting && (key == "include.path" || strings.HasPrefix(key, "includeif.")):
		reason = "makes git read settings from " + v.Text + ", and such settings can be commands that git runs"
		event = effect.HiddenExecution
	case key == "http.sslverify" && strings.EqualFold(v.Text, "false") && lasting:
		reason, event = "turns off certificate checks", effect.DefenseOff
	case strings.HasPrefix(key, "url.") && lasting:
		reason = "redirects git's traffic for an address to another address"
	case redirectsPushes(key) && strings.ContainsAny(v.Text, "/:") && lasting:
		reason = "sends later pushes to " + v.Text
	case key == "sendemail.smtpserver" && strings.Contains(v.Text, "/") && lasting:
		reason = "makes git run " + v.Text
	case key == "clean.requireforce":
		t.CleansUnforced = isFalse(v.Text)
	case strings.HasPrefix(key, "gc.") && strings.Contains(key, "expire") && (v.Text == "now" || v.Text == "all"):
		reason, event = "makes git delete unreferenced commits at once", effect.HistoryRewrite
	}
	if reason != "" {
		t.Mark(c, reason+" ("+key+")", event)
	}
}

// isFalse reports whether git reads the value of a setting as false.
func isFalse(value string) bool {
	value = strings.ToLower(value)
	return value == words.Among(value, "false no off 0")
}

// defineAlias remembers an alias for later commands of the call.
func defineAlias(t *trace.Trace, c *trace.Command, name string, v trace.Value) {
	if strings.HasPrefix(v.Text, "!") {
		t.Mark(c, "defines a git alias that runs a shell command", effect.StartupChange)
	}
	if t.GitAliases == nil {
		t.GitAliases = map[string]string{}
	}
	t.GitAliases[name] = v.Text
}

// overwritesByDefault reports whether a setting of a remote lets a push without a refspec overwrite branches.
func overwritesByDefault(key, value string) bool {
	return strings.HasSuffix(key, ".push") && strings.HasPrefix(value, "+") ||
		strings.HasSuffix(key, ".mirror") && strings.EqualFold(value, "true")
}

// redirectsPushes reports whether a setting with this key chooses the remote to which git pushes. The value of such a
// setting is usually the name of a remote.
func redirectsPushes(key string) bool {
	return strings.HasSuffix(key, ".pushurl") || strings.HasSuffix(key, ".pushremote") || key == "remote.pushdefault" ||
		strings.HasPrefix(key, "branch.") && strings.HasSuffix(key, ".remote")
}

// isCommandSetting reports whether the value of a setting is a command that git runs.
func isCommandSetting(key string) bool {
	if key == words.Among(key, "core.editor core.pager core.sshcommand core.fsmonitor core.askpass core.gitproxy "+
		"sequence.editor diff.external credential.helper gpg.program gpg.ssh.program interactive.difffilter "+
		"uploadpack.packobjectshook core.alternaterefscommand sendemail.sendmailcmd instaweb.httpd") {
		return true
	}
	for _, suffix := range [...]string{
		".clean", ".smudge", ".process", ".textconv", ".command", ".driver", ".cmd", ".helper", ".uploadpack", ".receivepack",
		".vcs",
	} {
		if strings.HasSuffix(key, suffix) {
			return true
		}
	}
	return strings.HasPrefix(key, "pager.")
}

// isUsualProgram reports whether a command is an editor, a pager or a credential helper that people usually set.
func isUsualProgram(text string) bool {
	program, _, _ := strings.Cut(text, " ")
	switch trace.ProgramName(program) {
	case "vim", "vi", "nvim", "nano", "emacs", "code", "true", "cat", "less", "delta", "more", "cache", "store",
		"osxkeychain", "manager", "manager-core", "libsecret", "diff-so-fancy", "subl", "meld", "":
		return true
	}
	return false
}

func config(t *trace.Trace, g *gitCall) {
	if g.o.HasWhole("get get-all list l get-regexp show-origin unset unset-all e edit") {
		return
	}
	operands := g.o.Operands
	if len(operands) > 0 && (operands[0].Text == "set" || operands[0].Text == "get" || operands[0].Text == "list") {
		if operands[0].Text != "set" {
			return
		}
		operands = operands[1:]
	}
	if len(operands) >= 2 {
		t.WriteAll(g.Command, g.o.Values("f file"))
		judgeSetting(t, g.Command, operands[0].Text, operands[1], true)
		if strings.EqualFold(operands[0].Text, hooksPath) && !keepsHooks(operands[1].Text) {
			t.Mark(g.Command, "", effect.SkipChecks)
		}
	}
}

// onFiles analyzes a flag whose value is a command. Git appends the names of files to this command: "git grep -Oless"
// appends the files that it finds, and "git difftool -x meld" appends the files that differ. The analysis uses src/* in
// place of these names.
func onFiles(t *trace.Trace, g *gitCall, names string) {
	for _, v := range g.o.Values(names) {
		v.Text += " src/*"
		t.RunText(g.Command, v)
	}
}
