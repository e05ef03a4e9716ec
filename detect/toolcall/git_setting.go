package toolcall

import (
	"strings"

	"guardrails/detect/effect"
)

// gitConfigArg reads the key=value of git -c: an alias, or a setting that makes git run a command.
func (a *analyzer) gitConfigArg(c *command, v value, aliases map[string]string) map[string]string {
	key, val, _ := strings.Cut(v.text, "=")
	if name, ok := strings.CutPrefix(strings.ToLower(key), "alias."); ok {
		if aliases == nil {
			aliases = map[string]string{}
		}
		aliases[name] = val
		return aliases
	}
	a.gitSetting(c, key, value{text: val, quality: quality{partial: v.partial}}, false)
	return aliases
}

// gitSetting judges a setting's value: some of git's settings are commands that git runs.
func (a *analyzer) gitSetting(c *command, key string, v value, lasting bool) {
	key = strings.ToLower(key)
	switch {
	case key == "core.hookspath" || key == "init.templatedir":
		if v.text == "/dev/null" && !lasting {
			a.mark(c, "switches the repository's hooks off", effect.DefenseOff)
			return
		}
		a.mark(c, "changes which hooks git runs ("+key+")", effect.StartupChange)
	case strings.HasPrefix(key, "alias.") && strings.HasPrefix(v.text, "!"):
		a.mark(c, "makes a git alias that runs a shell command", effect.StartupChange)
	case gitRunsSetting(key):
		if lasting && !everydayEditor(v.text) {
			a.mark(c, "makes git run "+v.text+" ("+key+")", effect.StartupChange)
		}
		if script := strings.TrimPrefix(v.text, "!"); script != "" && !v.partial {
			a.inside(c.span, func() flow { return a.script(script, c.sc.sub(), nothing()) })
		}
	case key == "http.sslverify" && strings.EqualFold(v.text, "false") && lasting:
		a.mark(c, "switches the check of certificates off", effect.DefenseOff)
	case strings.HasPrefix(key, "url.") && lasting:
		a.mark(c, "sends git's traffic for an address to another one", effect.StartupChange)
	}
}

func gitRunsSetting(key string) bool {
	if key == among(key, "core.editor core.pager core.sshcommand core.fsmonitor core.askpass core.gitproxy sequence.editor "+
		"diff.external credential.helper gpg.program gpg.ssh.program interactive.difffilter "+
		"uploadpack.packobjectshook") {
		return true
	}
	for _, suffix := range [...]string{".clean", ".smudge", ".process", ".textconv", ".command", ".driver", ".cmd", ".helper"} {
		if strings.HasSuffix(key, suffix) {
			return true
		}
	}
	return strings.HasPrefix(key, "pager.")
}

func everydayEditor(text string) bool {
	program, _, _ := strings.Cut(text, " ")
	switch programName(program) {
	case "vim", "vi", "nvim", "nano", "emacs", "code", "true", "cat", "less", "delta", "more", "cache", "store", "osxkeychain", "manager", "manager-core", "libsecret", "diff-so-fancy", "subl", "meld", "":
		return true
	}
	return false
}

func (a *analyzer) gitConfig(g *gitCall) {
	if g.o.has("get get-all list l get-regexp show-origin unset unset-all e edit") {
		return
	}
	operands := g.o.operands
	if len(operands) > 0 && (operands[0].text == "set" || operands[0].text == "get" || operands[0].text == "list") {
		if operands[0].text != "set" {
			return
		}
		operands = operands[1:]
	}
	if len(operands) >= 2 {
		for _, v := range g.o.values("f file") {
			a.write(v, g.sc, g.span)
		}
		a.gitSetting(g.command, operands[0].text, operands[1], true)
	}
}

// gitPager runs the program that git grep opens the found files in: -Oless, --open-files-in-pager=less.
func (a *analyzer) gitPager(g *gitCall) {
	for _, v := range g.rest {
		script, ok := strings.CutPrefix(v.text, "--open-files-in-pager=")
		if !ok {
			script, ok = strings.CutPrefix(v.text, "-O")
		}
		if ok && script != "" {
			v.text = script
			a.runText(g.command, v)
		}
	}
}
