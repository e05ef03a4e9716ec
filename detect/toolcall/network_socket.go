package toolcall

import (
	"strings"

	"guardrails/detect/effect"
)

// netcat opens a raw connection; with a program at its end, whoever is on the other side commands it.
func netcat(a *analyzer, c *command) flow {
	o := parseOptions(c.args(), "p s w i q X x e c G I O P T m o sh-exec exec lua-exec source proxy wait idle-timeout ssl-cert ssl-key proxy-auth")
	if execs := o.values("e exec sh-exec lua-exec"); len(execs) > 0 {
		a.mark(c, "gives "+execs[0].text+" to whoever is at the other end of a connection", effect.ReverseShell)
	}
	for _, v := range o.values("c") {
		if isProgramText(a, v.text) {
			a.mark(c, "gives "+v.text+" to whoever is at the other end of a connection", effect.ReverseShell)
		} else {
			o.operands = append([]value{v}, o.operands...) // some kinds use -c for TLS: the value is the host
		}
	}
	if o.has("z h help version") {
		return nothing()
	}
	if o.has("U unixsock") && len(o.operands) > 0 {
		a.localSocket(c, o.operands[0])
	}
	return a.connection(c, hostOf(o.word(0)), c.in.taint|taintOf(o.operands))
}

// isProgramText tells a program from a host name.
func isProgramText(a *analyzer, text string) bool {
	return strings.ContainsAny(text, "/ ") || isShell(programName(text)) || a.find(programName(text)) != nil
}

// connection notes what goes out over a raw connection, and returns what comes in.
func (a *analyzer) connection(c *command, host string, t taint) flow {
	a.upload(c, host, t)
	if c.in.taint.has(fromShell) {
		a.mark(c, "connects a shell to "+orElse(host, "the network"), effect.ReverseShell)
	}
	return flow{taint: fromSocket}
}

func telnet(a *analyzer, c *command) flow {
	o := parseOptions(c.args(), "l e n b X")
	return a.connection(c, hostOf(o.word(0)), c.in.taint)
}

// socat joins two addresses.
func socat(a *analyzer, c *command) flow {
	o := parseOptions(c.args(), "b t T lf lp s x r R")
	host, remote, shell := "", false, ""
	t := c.in.taint
	for _, v := range o.operands {
		kind, rest, _ := strings.Cut(v.text, ":")
		switch kind = strings.ToUpper(kind); {
		case kind == "EXEC" || kind == "SYSTEM" || kind == "SHELL":
			shell = v.text
			a.runAddress(c, v, rest)
		case strings.HasPrefix(kind, "TCP"), strings.HasPrefix(kind, "UDP"), strings.HasPrefix(kind, "OPENSSL"), strings.HasPrefix(kind, "SSL"), strings.HasPrefix(kind, "SCTP"),
			strings.HasPrefix(kind, "SOCKS"), strings.HasPrefix(kind, "PROXY"), strings.HasPrefix(kind, "VSOCK"):
			remote = true
			if !strings.Contains(kind, "LISTEN") && host == "" {
				host = hostOf(rest)
			}
		case kind == "FILE" || kind == "OPEN" || kind == "GOPEN":
			name, _, _ := strings.Cut(rest, ",")
			t |= a.attached(c, name, v)
		case strings.HasPrefix(kind, "UNIX"):
			v.text, _, _ = strings.Cut(rest, ",")
			a.localSocket(c, v)
			if isEngineSocket(v.text) {
				a.mark(c, "opens the container engine's socket to others", effect.ContainerEscape)
			}
		}
	}
	if !remote {
		return flow{taint: fromProgram}
	}
	if shell != "" {
		a.mark(c, "gives "+shell+" to whoever is at the other end of a connection", effect.ReverseShell)
	}
	return a.connection(c, host, t)
}

func (a *analyzer) runAddress(c *command, at value, text string) {
	text, _, _ = strings.Cut(text, ",")
	at.text = strings.Trim(text, `'"`)
	a.runText(c, at)
}

// openssl connects, decodes and reads keys, by its first argument.
func openssl(a *analyzer, c *command) flow {
	if len(c.argv) < 2 {
		return nothing()
	}
	o := parseOptions(c.argv[2:], "-connect -in -out -inkey -keyout -host -port -k -K -iv -pass -passin -passout -CAfile -servername -subj -days -newkey -config")
	for _, v := range o.values("out keyout") {
		a.write(v, c.sc, c.span)
	}
	t := c.in.taint
	switch sub := c.argv[1].text; sub {
	case "s_client":
		return a.connection(c, hostOf(firstText(o.values("connect host"))), t)
	case "s_server":
		return flow{taint: fromSocket}
	case among(sub, "x509 verify crl ocsp version speed ciphers dgst sha256 md5"):
		return flow{taint: fromProgram}
	default:
		return a.opensslText(c, &o, sub, t)
	}
}

func (a *analyzer) opensslText(c *command, o *options, sub string, t taint) flow {
	in := c.in
	if vs := o.values("in"); len(vs) > 0 && !o.has("-pubout -noout") {
		in = a.readFlow(vs[0], c.sc, c.span)
		t |= in.taint
	}
	if !o.has("-d -D") {
		return flow{taint: t | fromProgram}
	}
	if sub == "base64" && in.known {
		if text, ok := fromBase64(in.text); ok {
			return flow{text: text, known: true, taint: t | decoded}
		}
	}
	return flow{taint: t | decoded}
}
