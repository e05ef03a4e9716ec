package toolcall

import (
	"strings"

	"guardrails/detect/effect"
)

const sshValues = "b c D E e F I i J L l m O o p Q R S W w B M"

// ssh runs a command on another machine; what is destructive here is destructive there.
func ssh(a *analyzer, c *command) flow {
	if c.name == "sshpass" {
		return wrapped("p f d P")(a, c)
	}
	o, rest := leadingOptions(c.args(), sshValues+" ssh port family predict server client")
	a.sshOptions(c, &o)
	if len(rest) == 0 {
		return nothing()
	}
	host := hostOf(rest[0].text)
	after, words := leadingOptions(rest[1:], sshValues)
	a.sshOptions(c, &after)
	if c.in.taint.isPrivate() || taintOf(words).isPrivate() {
		a.upload(c, host, c.in.taint|taintOf(words))
	}
	if len(words) == 0 {
		return a.remoteInput(c, host)
	}
	a.mark(c, "runs a command on "+orElse(host, "another machine"), effect.RemoteExecution)
	out := a.remotely(c, joined(words))
	return flow{taint: out.taint | fromNetwork}
}

// remoteInput is ssh without a command: the remote shell runs what comes in.
func (a *analyzer) remoteInput(c *command, host string) flow {
	if c.in.known && strings.TrimSpace(c.in.text) == "" {
		return flow{taint: fromNetwork}
	}
	a.mark(c, "runs commands on "+orElse(host, "another machine"), effect.RemoteExecution)
	if c.in.known {
		a.remotely(c, value{text: c.in.text})
	} else {
		a.runStream(c, c.in)
	}
	return flow{taint: fromNetwork}
}

// sshOptions finds the options that run a local command.
func (a *analyzer) sshOptions(c *command, o *options) {
	for _, v := range o.values("R") {
		if strings.HasSuffix(v.text, ":22") {
			a.mark(c, "lets another machine log in here ("+v.text+")", effect.ReverseShell)
		}
	}
	for _, v := range o.values("L") {
		if v.text, _, _ = strings.Cut(v.text, ":"); strings.Contains(v.text, "/") {
			a.localSocket(c, v)
		}
	}
	for _, v := range o.values("o") {
		name, text, ok := strings.Cut(strings.TrimSpace(v.text), "=")
		if !ok {
			name, text, _ = strings.Cut(name, " ")
		}
		switch strings.ToLower(strings.TrimSpace(name)) {
		case "proxycommand", "localcommand", "knownhostscommand":
			v.text = strings.TrimSpace(text)
			a.runText(c, v)
		}
	}
}

// remotely analyses a text that a shell on another machine runs: this machine's variables and folder mean nothing.
func (a *analyzer) remotely(c *command, v value) flow {
	outer := c.sc
	defer func() { c.sc = outer }()
	c.sc = &scope{cwd: outer.cwd, cwdUnknown: true}
	return a.runText(c, v)
}

// joined is the arguments as one text.
func joined(args []value) value {
	v := value{text: joinArgs(args)}
	for _, arg := range args {
		v.partial = v.partial || arg.partial
		v.taint |= arg.taint
	}
	return v
}

// remotePart splits host:path; a path with a slash before the colon is a local one.
func remotePart(text string) (host, path string, remote bool) {
	if rest, ok := cutScheme(text); ok {
		return hostOf(text), rest[max(strings.IndexByte(rest, '/'), 0):], true
	}
	i := strings.IndexByte(text, ':')
	if i <= 0 || strings.Contains(text[:i], "/") || i == 1 && len(text) > 2 && (text[2] == '\\' || text[2] == '/') {
		return "", "", false
	}
	return hostOf(text[:i]), strings.TrimPrefix(text[i+1:], ":"), true
}

func cutScheme(text string) (string, bool) {
	for _, scheme := range [...]string{"rsync://", "scp://", "sftp://", "ftp://"} {
		if rest, ok := strings.CutPrefix(text, scheme); ok {
			return rest, true
		}
	}
	return "", false
}

// scp copies between machines.
func scp(a *analyzer, c *command) flow {
	o := parseOptions(c.args(), "c D F i J l o P S X")
	a.sshOptions(c, &o)
	for _, v := range o.values("S") {
		a.runText(c, v)
	}
	a.copyBetween(c, o.operands)
	return nothing()
}

// copyBetween is scp's and rsync's way to name sources and, last, the destination.
func (a *analyzer) copyBetween(c *command, operands []value) {
	if len(operands) < 2 {
		return
	}
	sources, dest := operands[:len(operands)-1], operands[len(operands)-1]
	host, _, upload := remotePart(dest.text)
	var t taint
	for _, v := range sources {
		if from, path, remote := remotePart(v.text); remote {
			a.download(c, from)
			if !upload {
				a.saved(c, into(dest, path))
			}
			continue
		}
		p := a.read(v, c.sc, c.span)
		t |= a.contentOf(p).taint | v.taint
		if !upload {
			a.write(into(dest, v.text), c.sc, c.span)
		}
	}
	if upload {
		a.upload(c, host, t)
	}
}

// into is the file in dest that a source is copied to when dest names a folder.
func into(dest value, source string) value {
	if dest.text != "." && dest.text != ".." && !strings.HasSuffix(dest.text, "/") {
		return dest
	}
	base := source[strings.LastIndexByte(strings.TrimSuffix(source, "/"), '/')+1:]
	dest.text = strings.TrimSuffix(dest.text, "/") + "/" + base
	return dest
}

const rsyncValues = "e rsh f filter exclude include exclude-from include-from files-from T temp-dir compare-dest copy-dest link-dest B M " +
	"password-file bwlimit max-size min-size port timeout rsync-path log-file out-format chmod chown backup-dir suffix partial-dir info debug max-delete"

// rsync copies; with --delete the destination loses what the source does not have.
func rsync(a *analyzer, c *command) flow {
	o := parseOptions(c.args(), rsyncValues)
	for _, v := range o.values("e rsh") {
		if program, _, _ := strings.Cut(v.text, " "); programName(program) != "ssh" {
			a.runText(c, v)
		}
	}
	if o.has("n dry-run list-only") || len(o.operands) < 2 {
		return flow{taint: fromProgram}
	}
	for _, v := range o.operands[:len(o.operands)-1] {
		a.markCopied(c, v, true, false)
	}
	for _, v := range o.values("link-dest") {
		a.markCopied(c, v, true, true)
	}
	a.copyBetween(c, o.operands)
	if last := o.operands[len(o.operands)-1]; strings.HasSuffix(o.operands[0].text, "/") || !strings.HasSuffix(last.text, "/") {
		a.markFolders(c, []value{{text: "."}}, last)
	}
	if deletes(&o) {
		a.mirror(c, o.operands[0], o.operands[len(o.operands)-1])
	}
	if o.has("remove-source-files") {
		for _, v := range o.operands[:len(o.operands)-1] {
			if _, _, remote := remotePart(v.text); !remote {
				a.remove(v, c.sc, c.span, removal{tree: true, moved: true, how: "moves away"})
			}
		}
	}
	return nothing()
}

func deletes(o *options) bool {
	for _, f := range o.flags {
		if f.name == "del" || f.name == "delete" || strings.HasPrefix(f.name, "delete-") {
			return true
		}
	}
	return false
}

// mirror notes that a destination is made equal to its source.
func (a *analyzer) mirror(c *command, source, dest value) {
	if host, path, remote := remotePart(dest.text); remote {
		a.mark(c, "deletes in "+path+" on "+orElse(host, "another machine")+" what the source does not have", effect.DestructiveOp)
		return
	}
	// What was built is copied to where it is served from: there everything comes from the source anyway.
	from := a.place(source, c.sc)
	built := a.place(dest, c.sc).zone == project && from.zone == project && isRegenerable(from.name)
	a.remove(dest, c.sc, c.span, removal{tree: true, moved: built, how: "deletes what the source does not have in"})
}
