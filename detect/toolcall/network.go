package toolcall

import (
	"strings"

	"guardrails/detect/effect"
)

// networkHandler knows the programs that fetch from and send to other machines.
func networkHandler(name string) handler {
	switch name {
	case "curl":
		return curl
	case "wget", "wget2":
		return wget
	case among(name, "http https httpie xh xhs"):
		return httpie
	case "aria2c", "axel":
		return downloader
	case "lynx", "w3m", "links", "elinks":
		return textBrowser
	case among(name, "nc ncat netcat nc.openbsd nc.traditional"):
		return netcat
	case "socat":
		return socat
	case "telnet":
		return telnet
	case "openssl":
		return openssl
	case "ssh", "autossh", "mosh", "sshpass":
		return ssh
	case "scp":
		return scp
	case "rsync":
		return rsync
	case among(name, "sftp ftp lftp tftp ncftp"):
		return transfer
	case "rclone":
		return rclone
	case among(name, "dig nslookup host ping ping6 drill whois traceroute"):
		return lookupHost
	case among(name, "mail mailx mutt sendmail msmtp swaks"):
		return mail
	case "croc", "wormhole", "pastebinit", "transfer.sh":
		return handOver
	}
	return nil
}

// isPrivate reports whether data may not leave the machine.
func (t taint) isPrivate() bool { return t.has(fromSecret | fromEnviron) }

// upload notes that data goes to a host; secrets may only go to the machine itself.
func (a *analyzer) upload(c *command, host string, t taint) {
	e := a.emit(effect.Effect{Kind: effect.Send, Host: host, Span: c.span})
	if !t.isPrivate() || isLoopback(host) {
		return
	}
	what := "the content of a secret file"
	if !t.has(fromSecret) {
		what = "the environment"
	}
	e.Note("sends "+what+" to "+orElse(host, "another machine"), effect.SecretSend)
}

func (a *analyzer) download(c *command, host string) {
	e := a.emit(effect.Effect{Kind: effect.Fetch, Host: host, Span: c.span})
	if isMetadata(host) {
		e.Note("asks the cloud for this machine's credentials", effect.SecretAccess)
	}
}

func orElse(s, other string) string {
	if s == "" {
		return other
	}
	return s
}

// saved notes that a download is written to a file, which may be run later in the same call.
func (a *analyzer) saved(c *command, v value) {
	if name := a.write(v, c.sc, c.span); name != "" {
		a.remember(name, flow{taint: fromNetwork})
	}
}

// attached reads a local file that is sent and returns where its content comes from.
func (a *analyzer) attached(c *command, name string, at value) taint {
	if name == "-" || name == "/dev/stdin" || name == "." && at.pipe == nil && c.name == "curl" {
		return c.in.taint
	}
	if at.pipe != nil {
		return at.pipe.taint
	}
	v := at
	v.text = name
	a.noteForeign(c, v)
	return at.taint | a.readFlow(v, c.sc, c.span).taint
}

// noteForeign notes that a file is sent which lies neither in the project nor in a temporary folder.
func (a *analyzer) noteForeign(c *command, v value) {
	if p := a.place(v, c.sc); p.zone == outside || p.zone == system || p.zone == device {
		a.mark(c, "sends "+p.name+", from outside the project", effect.SecretAccess)
	}
}

// hostOf is the host of an address, with or without a scheme; an unknown one is empty.
func hostOf(address string) string {
	if _, rest, ok := strings.Cut(address, "://"); ok {
		address = rest
	}
	if i := strings.IndexAny(address, "/?#"); i >= 0 {
		address = address[:i]
	}
	address = address[strings.LastIndexByte(address, '@')+1:]
	if strings.HasPrefix(address, "[") {
		host, _, _ := strings.Cut(address[1:], "]")
		return host
	}
	if strings.Count(address, ":") == 1 {
		address, _, _ = strings.Cut(address, ":")
	}
	if strings.Contains(address, "$") {
		return ""
	}
	return strings.ToLower(address)
}

// isLoopback reports whether a host is the machine itself.
func isLoopback(host string) bool {
	if host == among(host, "localhost ::1 0.0.0.0 host.docker.internal ip6-localhost") {
		return true
	}
	return strings.HasPrefix(host, "127.") || strings.HasSuffix(host, ".localhost")
}

// lookupHost is a program that only asks about a name, which is enough to carry a secret out.
func lookupHost(a *analyzer, c *command) flow {
	for _, v := range c.args() {
		if v.taint.isPrivate() {
			a.upload(c, "", v.taint)
			break
		}
	}
	return flow{taint: fromProgram | fromNetwork}
}

// mail sends its input and the files that are attached.
func mail(a *analyzer, c *command) flow {
	o := parseOptions(c.args(), "s a A c b r f attach attachment body header server to from subject")
	t := c.in.taint
	for _, v := range o.values("a A attach attachment body") {
		name := strings.TrimPrefix(v.text, "@")
		if strings.ContainsAny(name, " :") {
			continue
		}
		t |= a.attached(c, name, v)
	}
	for _, v := range c.args() {
		t |= v.taint
	}
	a.upload(c, hostOf(firstText(o.values("server"))), t)
	return nothing()
}

// handOver is a program that gives a file to anyone who has the code.
func handOver(a *analyzer, c *command) flow {
	args := c.args()
	if len(args) > 0 && (args[0].text == "receive" || args[0].text == "recv") {
		a.download(c, "")
		return nothing()
	}
	if len(args) > 0 && args[0].text == "send" {
		args = args[1:]
	}
	t := c.in.taint
	o := parseOptions(args, "")
	for _, v := range o.operands {
		t |= a.attached(c, v.text, v)
	}
	a.upload(c, "", t)
	return nothing()
}

func firstText(vs []value) string {
	if len(vs) == 0 {
		return ""
	}
	return vs[0].text
}
