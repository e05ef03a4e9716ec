package network

import (
	"strings"

	"guardrails/detect/effect"
	"guardrails/detect/toolcall/program"
	"guardrails/detect/toolcall/trace"
	"guardrails/detect/toolcall/words"
)

// connectionHandler returns the handler of a program that changes network connections or opens this machine to the
// network. It returns nil for other programs.
func connectionHandler(name string) trace.Handler {
	switch name {
	case "ifconfig", "iwconfig":
		return program.MarksWith("takes a network connection down", effect.SystemControl, "down flush del delete")
	case "nmcli":
		return program.MarksWith("takes a network connection down", effect.SystemControl, "off down delete")
	case "ztcp":
		return program.Marks("opens a raw connection in the shell", effect.ReverseShell)
	case words.Among(name, "ngrok cloudflared localtunnel lt bore serveo tailscale zrok devtunnel"):
		return tunnel
	case "tmate", "upterm", "sshx", "teleconsole":
		return program.Marks("shares a terminal with others", effect.ReverseShell)
	}
	return nil
}

// The function tunnel analyzes programs that make a local port or folder reachable from the internet.
func tunnel(t *trace.Trace, c *trace.Command) trace.Flow {
	if trace.ArgAt(c.Argv, 1) == "ssh" { // as in tailscale ssh
		return t.RunInner(c, c.Args())
	}
	for _, v := range c.Args() {
		if name, ok := strings.CutPrefix(v.Text, "file://"); ok {
			name = t.Place(trace.Value{Text: name}, c.Scope).Name
			t.Emit(effect.Effect{
				Kind: effect.Send, Path: name, Span: c.Span,
				Events: []effect.Event{effect.SecretSend}, Reason: "opens " + name + " to the network",
			})
		}
	}
	for i, v := range c.Args() {
		if program.IsOneOf(c.Argv[i].Text, "tcp|funnel|local|-p|--port") && v.Text == "22" || v.Text == "localhost:22" ||
			strings.HasPrefix(v.Text, "ssh://") || trace.IsURL(v.Text) && strings.HasSuffix(strings.TrimRight(v.Text, "/"), ":22") {
			t.Mark(c, "opens this machine's SSH port to the network", effect.ReverseShell)
			break
		}
	}
	return trace.Flow{Taint: trace.FromProgram | trace.FromNetwork}
}
