package program

import (
	"strings"

	"guardrails/detect/effect"
	"guardrails/detect/toolcall/flags"
	"guardrails/detect/toolcall/trace"
	"guardrails/detect/toolcall/words"
)

// Exposes is a function for programs that open this machine to the network. It marks such a program: a web server for a
// folder with private files, or an editor that other people can control remotely.
func Exposes(t *trace.Trace, c *trace.Command) {
	word := ""
	switch c.Name {
	case words.Among(c.Name, "serve http-server live-server miniserve httpd"):
	case "caddy":
		word = "file-server"
	case "php":
		word = "-S"
	case "ruby":
		word = "httpd"
	case "git":
		word = "daemon"
	case "code", "code-insiders":
		if trace.ArgAt(c.Argv, 1) == "tunnel" && flags.FirstOf(c.Args(), "status user kill prune unregister rename --help") == "" {
			t.Mark(c, "lets others control this machine", effect.ReverseShell)
		}
		return
	default:
		return
	}
	if word == "" || flags.FirstOf(c.Args(), word) != "" {
		served(t, c)
	}
}

// served() marks a web server if an argument is a folder with private files, and no argument limits the server to this
// machine.
func served(t *trace.Trace, c *trace.Command) {
	all := trace.JoinAll(c.Args())
	if strings.Contains(all, "127.0.0.1") || strings.Contains(all, "localhost") {
		return
	}
	for _, v := range c.Args() {
		if strings.HasPrefix(v.Text, "-") {
			_, v.Text, _ = strings.Cut(v.Text, "=")
		}
		if v.Text == "" || strings.Contains(v.Text, " ") {
			continue
		}
		p := t.Place(v, c.Scope)
		if _, above := trace.Below(t.Env.Home, p.Abs); above && p.Abs != "" || p.Abs == "/" || p.Abs == "/etc" ||
			p.Secret && !trace.NamesFile(p.Name) {
			t.Mark(c, "opens "+p.Name+" to the network", effect.SecretSend)
			return
		}
	}
}
