package toolcall

import (
	"strings"

	"guardrails/detect/effect"
)

// transfer is ftp and its kind: what is sent stands in a script.
func transfer(a *analyzer, c *command) flow {
	o := parseOptions(c.args(), "b P i o F c e u p l B D R S")
	a.sshOptions(c, &o)
	host, _, _ := strings.Cut(hostOf(o.word(0)), ":")
	a.download(c, host)
	script := ""
	if c.in.known {
		script = c.in.text
	}
	for _, v := range o.values("e c") {
		script += "\n" + v.text
	}
	for line := range strings.FieldsFuncSeq(script, func(r rune) bool { return r == '\n' || r == ';' }) {
		a.transferLine(c, host, strings.Fields(line))
	}
	return nothing()
}

func (a *analyzer) transferLine(c *command, host string, words []string) {
	if len(words) == 0 {
		return
	}
	switch words[0] {
	case "put", "mput", "send", "append", "reput":
		for _, w := range words[1:] {
			if strings.HasPrefix(w, "-") {
				continue
			}
			v := value{text: a.tildeText(w)}
			a.upload(c, host, a.readFlow(v, c.sc, c.span).taint)
			break
		}
	case "rm", "mdelete", "mrm", "rmdir":
		a.mark(c, "deletes files on "+orElse(host, "another machine"), effect.DestructiveOp)
	case "!", "lcd":
	default:
		if text, ok := strings.CutPrefix(strings.Join(words, " "), "!"); ok {
			a.runText(c, value{text: text})
		}
	}
}

// tildeText expands a tilde that did not pass through the shell.
func (a *analyzer) tildeText(text string) string {
	if strings.HasPrefix(text, "~") {
		return a.tilde(text)
	}
	return text
}

// rclone copies to and from cloud storage.
func rclone(a *analyzer, c *command) flow {
	o := parseOptions(c.args(), "config include exclude filter max-age min-age transfers bwlimit log-file backup-dir")
	if o.has("n dry-run") {
		return nothing()
	}
	rest := o.operands[min(1, len(o.operands)):]
	switch o.word(0) {
	case "copy", "copyto", "move", "moveto":
		if len(rest) > 1 {
			if _, _, remote := remotePart(rest[len(rest)-1].text); remote {
				a.noteForeign(c, rest[0])
			}
		}
		a.copyBetween(c, rest)
	case "sync":
		a.copyBetween(c, rest)
		if len(rest) > 1 {
			a.mirror(c, rest[0], rest[len(rest)-1])
		}
	case "delete", "purge", "deletefile", "rmdirs", "cleanup":
		a.mark(c, "deletes "+o.word(1), effect.DestructiveOp)
	case "config":
		if o.word(1) == "show" || o.word(1) == "dump" {
			a.mark(c, "prints the passwords of cloud storage", effect.SecretAccess)
			return flow{taint: fromSecret}
		}
	case "cat":
		return flow{taint: fromNetwork}
	}
	return flow{taint: fromProgram}
}
