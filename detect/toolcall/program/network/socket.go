package network

import (
	"strings"

	"guardrails/detect/effect"
	"guardrails/detect/toolcall/flags"
	"guardrails/detect/toolcall/program"
	"guardrails/detect/toolcall/self"
	"guardrails/detect/toolcall/trace"
	"guardrails/detect/toolcall/words"
)

// The function netcat analyzes the program netcat, which opens a raw connection. If netcat connects a program to the
// network, the machine at the other end of the connection controls the program.
func netcat(t *trace.Trace, c *trace.Command) trace.Flow {
	o := flags.Parse(c.Args(), "p s w i q X x e c G I O P T m o sh-exec exec lua-exec source proxy wait idle-timeout "+
		"ssl-cert ssl-key proxy-auth")
	if execs := o.Values("e exec sh-exec lua-exec"); len(execs) > 0 {
		t.Mark(c, "gives "+execs[0].Text+" to whoever is at the other end of a connection", effect.ReverseShell)
	}
	for _, v := range o.Values("c") {
		if isProgramText(t, v.Text) {
			t.Mark(c, "gives "+v.Text+" to whoever is at the other end of a connection", effect.ReverseShell)
		} else {
			o.Operands = append([]trace.Value{v}, o.Operands...) // if -c means TLS, v is the host
		}
	}
	if o.Has("z h help version") {
		return trace.Nothing()
	}
	if o.Has("U unixsock") && len(o.Operands) > 0 {
		self.MarkLocalSocket(t, c, o.Operands[0])
	}
	return connection(t, c, trace.HostOf(o.Word(0)), c.In.Taint|TaintOf(o.Operands))
}

// isProgramText reports whether a text is a command rather than the name of a host.
func isProgramText(t *trace.Trace, text string) bool {
	name := trace.ProgramName(text)
	return strings.ContainsAny(text, "/ ") || trace.IsShell(name) || t.Find(name) != nil
}

// connection() adds the effect of sending data over a raw connection, and returns the data that comes back.
func connection(t *trace.Trace, c *trace.Command, host string, taint trace.Taint) trace.Flow {
	program.Upload(t, c, host, taint)
	if c.In.Taint.Has(trace.FromShell) {
		t.Mark(c, "connects a shell to "+words.OrElse(host, "the network"), effect.ReverseShell)
	}
	return trace.Flow{Taint: trace.FromSocket}
}

func telnet(t *trace.Trace, c *trace.Command) trace.Flow {
	o := flags.Parse(c.Args(), "l e n b X")
	return connection(t, c, trace.HostOf(o.Word(0)), c.In.Taint)
}

// The function socat analyzes the program socat, which connects two addresses.
func socat(t *trace.Trace, c *trace.Command) trace.Flow {
	o := flags.Parse(c.Args(), "b t T lf lp s x r R")
	host, remote, shell := "", false, ""
	taint := c.In.Taint
	for _, v := range o.Operands {
		kind, rest, _ := strings.Cut(v.Text, ":")
		switch kind = strings.ToUpper(kind); {
		case kind == "EXEC" || kind == "SYSTEM" || kind == "SHELL":
			shell = v.Text
			runAddress(t, c, v, rest)
		case strings.HasPrefix(kind, "TCP"), strings.HasPrefix(kind, "UDP"), strings.HasPrefix(kind, "OPENSSL"),
			strings.HasPrefix(kind, "SSL"), strings.HasPrefix(kind, "SCTP"), strings.HasPrefix(kind, "SOCKS"),
			strings.HasPrefix(kind, "PROXY"), strings.HasPrefix(kind, "VSOCK"):
			remote = true
			if strings.Contains(kind, "LISTEN") {
				t.Tunnel("")
			} else if host == "" {
				host = trace.HostOf(rest)
			}
		case kind == "FILE" || kind == "OPEN" || kind == "GOPEN":
			name, _, _ := strings.Cut(rest, ",")
			taint |= program.Attached(t, c, name, v)
		case strings.HasPrefix(kind, "UNIX"):
			v.Text, _, _ = strings.Cut(rest, ",")
			self.MarkLocalSocket(t, c, v)
			if IsEngineSocket(v.Text) {
				t.Mark(c, "opens the container engine's socket to others", effect.ContainerEscape)
			}
		}
	}
	if !remote {
		return trace.Flow{Taint: trace.FromProgram}
	}
	if shell != "" {
		t.Mark(c, "gives "+shell+" to whoever is at the other end of a connection", effect.ReverseShell)
	}
	return connection(t, c, host, taint)
}

// runAddress analyzes the command in an address of socat, such as EXEC:command,options.
func runAddress(t *trace.Trace, c *trace.Command, at trace.Value, text string) {
	text, _, _ = strings.Cut(text, ",")
	at.Text = strings.Trim(text, `'"`)
	t.RunText(c, at)
}

// The function openssl analyzes the program openssl, which can open connections, decode text, and read and write keys.
func openssl(t *trace.Trace, c *trace.Command) trace.Flow {
	if len(c.Argv) < 2 {
		return trace.Nothing()
	}
	o := flags.Parse(c.Argv[2:], "-connect -in -out -inkey -keyout -host -port -k -K -iv -pass -passin -passout -CAfile "+
		"-servername -subj -days -newkey -config")
	t.WriteAll(c, o.Values("out"))
	t.WriteAll(c, o.Values("keyout"))
	sub, taint := c.Argv[1].Text, c.In.Taint
	if (words.OneOf(sub, "genrsa genpkey gendsa") || o.Has("newkey -genkey")) && !o.Has("-help -key") {
		t.NoteNewKey(c.Scope)
	}
	switch sub {
	case "s_client":
		return connection(t, c, trace.HostOf(trace.FirstText(o.Values("connect host"))), taint)
	case "s_server":
		return trace.Flow{Taint: trace.FromSocket}
	case words.Among(sub, "x509 verify crl ocsp version speed ciphers dgst sha256 md5"):
		return trace.Flow{Taint: trace.FromProgram}
	default:
		return opensslText(t, c, &o, sub, taint)
	}
}

// opensslText returns the output of a command that encodes or decodes its input.
func opensslText(t *trace.Trace, c *trace.Command, o *flags.Options, sub string, taint trace.Taint) trace.Flow {
	in := c.In
	if vs := o.Values("in"); len(vs) > 0 && !o.Has("-pubout") && (!o.Has("-noout") || o.Has("-text")) {
		in = t.ReadFlow(vs[0], c.Scope, c.Span)
		taint |= in.Taint
	}
	if !o.Has("-d -D") {
		return trace.Flow{Taint: taint | trace.FromProgram}
	}
	if sub == "base64" && in.Known {
		if text, ok := words.FromBase64(in.Text); ok {
			return trace.Flow{Text: text, Known: true, Taint: taint | trace.Decoded}
		}
	}
	return trace.Flow{Taint: taint | trace.Decoded}
}
