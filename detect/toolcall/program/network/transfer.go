package network

import (
	"slices"
	"strings"

	"guardrails/detect/effect"
	"guardrails/detect/toolcall/flags"
	"guardrails/detect/toolcall/program"
	"guardrails/detect/toolcall/shell"
	"guardrails/detect/toolcall/trace"
	"guardrails/detect/toolcall/words"
)

// transfer() analyzes ftp and similar programs, and the script that contains their commands. "tftp -c" joins the words
// after -c into one command. "ftp -u URL FILE" sends files.
func transfer(t *trace.Trace, c *trace.Command) trace.Flow {
	args, script := c.Args(), ""
	if i := slices.IndexFunc(args, func(v trace.Value) bool { return v.Text == "-c" }); i >= 0 && c.Name == "tftp" {
		script = trace.Joined(args[i+1:]).Text
		args = args[:i]
	}
	o := flags.Parse(args, "b P i o F c e u p l B D R S U W I m")
	sshOptions(t, c, &o)
	host, _, _ := strings.Cut(trace.HostOf(o.Word(0)), ":")
	if to := trace.FirstText(o.Values("u")); c.Name == "ftp" && to != "" {
		host = trace.HostOf(to)
		for _, v := range o.Operands {
			program.Upload(t, c, host, program.Attached(t, c, v.Text, v))
		}
	}
	program.Download(t, c, host)
	if c.In.Known {
		script += "\n" + c.In.Text
	}
	for _, v := range o.Values("e c") {
		script += "\n" + v.Text
	}
	for _, line := range strings.FieldsFunc(script, func(r rune) bool { return r == '\n' || r == ';' }) {
		transferLine(t, c, host, strings.Fields(line))
	}
	return trace.Nothing()
}

// transferLine analyzes one command in a script of ftp or a similar program.
func transferLine(t *trace.Trace, c *trace.Command, host string, list []string) {
	if len(list) == 0 {
		return
	}
	switch list[0] {
	case "put", "mput", "send", "append", "reput":
		for _, w := range list[1:] {
			if strings.HasPrefix(w, "-") {
				continue
			}
			v := trace.Value{Text: TildeText(t, w)}
			program.Upload(t, c, host, t.ReadFlow(v, c.Scope, c.Span).Taint)
			break
		}
	case "rm", "del", "delete", "deltree", "mdelete", "mrm", "rmdir", "mirror":
		if list[0] == "mirror" && !slices.Contains(list, "--delete") && !slices.Contains(list, "-e") {
			break
		}
		t.Mark(c, "deletes files on "+words.OrElse(host, "another machine"), effect.DestructiveOp)
	case "!", "lcd":
	default:
		if text, ok := strings.CutPrefix(strings.Join(list, " "), "!"); ok {
			t.RunText(c, trace.Value{Text: text})
		}
	}
}

// TildeText expands the tilde at the beginning of a text that no shell expands.
func TildeText(t *trace.Trace, text string) string {
	if strings.HasPrefix(text, "~") {
		return shell.Tilde(t, text)
	}
	return text
}

// The function rclone analyzes the program rclone, which copies to and from cloud storage.
func rclone(t *trace.Trace, c *trace.Command) trace.Flow {
	o := flags.Parse(c.Args(), "config include exclude filter max-age min-age transfers bwlimit log-file backup-dir")
	if o.Has("n dry-run") {
		return trace.Nothing()
	}
	rest := o.Operands[min(1, len(o.Operands)):]
	switch o.Word(0) {
	case "copy", "copyto", "move", "moveto":
		if len(rest) > 1 {
			if _, _, remote := RemotePart(rest[len(rest)-1].Text); remote {
				program.NoteForeign(t, c, rest[0])
			} else {
				t.MarkReplaced(c, rest[len(rest)-1]) // rclone copies the content of the source
			}
		}
		copyBetween(t, c, rest)
	case "sync", "bisync":
		copyBetween(t, c, rest)
		if len(rest) > 1 {
			mirror(t, c, rest[0], rest[len(rest)-1])
		}
	case "delete", "purge", "deletefile", "rmdirs", "cleanup":
		t.Mark(c, "deletes "+o.Word(1), effect.DestructiveOp)
	case "config":
		if o.Word(1) == "show" || o.Word(1) == "dump" {
			t.Mark(c, "prints passwords for cloud storage", effect.SecretAccess)
			return trace.Flow{Taint: trace.FromSecret}
		}
	case "cat":
		return trace.Flow{Taint: trace.FromNetwork}
	}
	return trace.Flow{Taint: trace.FromProgram}
}
