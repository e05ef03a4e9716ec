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
	case words.Among(name, "hydra medusa ncrack crowbar patator"):
		return program.MarksWith("guesses passwords", effect.PrivilegeGain, "-P -C -L -l -x -M")
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
	if c.Name == "tailscale" && trace.ArgAt(c.Argv, 1) == "funnel" {
		for i, v := range c.Args()[1:] {
			if strings.HasPrefix(v.Text, "/") && c.Args()[i].Text != "--set-path" || strings.HasPrefix(v.Text, "~") {
				t.Mark(c, "opens "+trace.Shorten(v.Text)+" to the internet", effect.PermissionOpen)
			}
		}
	}
	for i, v := range c.Args() {
		port := words.AfterLast(strings.TrimRight(v.Text, "/"), ":")
		bare := port == v.Text && !program.IsOneOf(c.Argv[i].Text, "tcp|http|tls|funnel|local|-p|--port")
		if bare || c.Argv[1].Text == "access" {
			continue // "cloudflared access" opens a port of this machine for a service elsewhere
		}
		switch {
		case port == "22" || strings.HasPrefix(v.Text, "ssh://"):
			t.Mark(c, "opens this machine's SSH port to the network", effect.ReverseShell)
		case words.OneOf(port, "1433 3306 5432 6379 9200 27017"):
			t.Mark(c, "opens a database to the network", effect.PermissionOpen)
		}
	}
	if c.Name == "cloudflared" {
		program.ByWords(t, c)
	}
	return trace.Flow{Taint: trace.FromProgram | trace.FromNetwork}
}
