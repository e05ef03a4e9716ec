package toolcall

import (
	"strings"

	"guardrails/detect/effect"
)

const curlValues = "o d F T H u X A b c e m x w K D E r C y Y z U P Q t " +
	"output data data-raw data-binary data-urlencode data-ascii json form form-string upload-file header user request user-agent cookie " +
	"cookie-jar referer max-time connect-timeout proxy proxy-user write-out config dump-header cert key cacert capath retry retry-delay " +
	"retry-max-time url url-query output-dir interface resolve connect-to unix-socket abstract-unix-socket socks5 socks5-hostname " +
	"limit-rate range trace trace-ascii stderr continue-at time-cond tls-max ciphers oauth2-bearer aws-sigv4 noproxy max-redirs"

// curl fetches addresses, writes what comes to files or prints it, and sends data.
func curl(a *analyzer, c *command) flow {
	o := parseOptions(c.args(), curlValues)
	if o.has("help h version V manual M") && len(o.operands) == 0 {
		return nothing()
	}
	urls := append(o.values("url"), o.operands...)
	data, sends := a.curlData(c, &o)
	data |= a.curlFiles(c, &o)
	out := flow{}
	for _, u := range urls {
		if strings.HasPrefix(u.text, "file://") {
			out = a.readFlow(u, c.sc, c.span)
			continue
		}
		out.taint |= fromNetwork
		host := hostOf(u.text)
		a.download(c, host)
		a.ownServer(c, firstText(o.values("X request")), u.text, joinAll(o.values("d data data-raw data-binary json")), sends)
		a.searchOrders(c, &o, u.text)
		if foreignSecret(u.text, host) || foreignSecret(joinAll(o.values("d data data-raw F form data-urlencode json data-binary")), host) {
			data |= fromSecret
		}
		if t := data | u.taint | taintOf(o.values("H header A user-agent e referer b cookie u user url-query")); sends || t.isPrivate() {
			a.upload(c, host, t)
		}
	}
	a.dockerSocket(c, &o, sends)
	if a.curlOutput(c, &o, urls) {
		return nothing()
	}
	return out
}

func taintOf(vs []value) taint {
	var t taint
	for _, v := range vs {
		t |= v.taint
	}
	return t
}

// curlFiles notes the files that curl writes beside its output, and the configuration and headers that it reads; the
// headers are sent.
func (a *analyzer) curlFiles(c *command, o *options) taint {
	for _, v := range o.values("D dump-header c cookie-jar trace trace-ascii stderr") {
		if v.text != "-" {
			a.write(v, c.sc, c.span)
		}
	}
	for _, v := range o.values("K config") {
		if v.text != "-" {
			a.read(v, c.sc, c.span)
		}
	}
	var sent taint
	for _, v := range o.values("H header") {
		if name, ok := strings.CutPrefix(v.text, "@"); ok {
			sent |= a.attached(c, name, v)
		}
	}
	return sent
}

// curlData is where the data that curl sends comes from, and whether it sends any.
func (a *analyzer) curlData(c *command, o *options) (taint, bool) {
	var t taint
	sends := false
	for _, f := range o.flags {
		if !f.has {
			continue
		}
		text := f.value.text
		switch f.name {
		case among(f.name, "d data data-binary data-ascii json"):
			sends = true
			t |= f.value.taint
			if name, ok := strings.CutPrefix(text, "@"); ok {
				t |= a.attached(c, name, f.value)
			}
		case "data-urlencode":
			sends = true
			t |= f.value.taint
			if name, file, ok := strings.Cut(text, "@"); ok && !strings.Contains(name, "=") {
				t |= a.attached(c, file, f.value)
			}
		case "F", "form":
			sends = true
			t |= f.value.taint | a.formFile(c, f.value)
		case "data-raw", "form-string":
			sends = true
			t |= f.value.taint
		case "T", "upload-file":
			sends = true
			t |= a.attached(c, text, f.value)
		case "X", "request":
			sends = sends || text == "POST" || text == "PUT" || text == "PATCH"
		}
	}
	return t, sends
}

// formFile is name=@file;type=… or name=<file.
func (a *analyzer) formFile(c *command, v value) taint {
	_, content, ok := strings.Cut(v.text, "=")
	if !ok || content == "" || content[0] != '@' && content[0] != '<' {
		return 0
	}
	file, _, _ := strings.Cut(content[1:], ";")
	return a.attached(c, file, v)
}

// curlOutput notes the files that the answers are written to; it is false when they are printed.
func (a *analyzer) curlOutput(c *command, o *options, urls []value) bool {
	dir := ""
	if vs := o.values("output-dir"); len(vs) > 0 {
		dir = strings.TrimSuffix(vs[0].text, "/") + "/"
	}
	written := false
	for _, v := range o.values("o output") {
		if v.text == "-" || v.text == "/dev/stdout" {
			continue
		}
		written = true
		if !strings.HasPrefix(v.text, "/") {
			v.text = dir + v.text
		}
		a.saved(c, v)
	}
	if o.has("O remote-name remote-name-all J remote-header-name") {
		written = true
		for _, u := range urls {
			a.saved(c, namedAfter(u, dir))
		}
	}
	return written
}

// namedAfter is the file that a download is written to when only its address is given.
func namedAfter(u value, dir string) value {
	address, _, _ := strings.Cut(u.text, "?")
	address = afterLast(address, "://")
	name := "index.html"
	if i := strings.LastIndexByte(address, '/'); i >= 0 && i+1 < len(address) {
		name = address[i+1:]
	}
	return value{text: dir + name, quality: quality{partial: u.partial && strings.Contains(name, "$")}}
}

// afterLast is what follows the last separator, or everything when there is none.
func afterLast(s, sep string) string {
	if i := strings.LastIndex(s, sep); i >= 0 {
		return s[i+len(sep):]
	}
	return s
}

// dockerSocket finds requests to the container engine, which can do anything on the host.
func (a *analyzer) dockerSocket(c *command, o *options, sends bool) {
	for _, v := range o.values("unix-socket abstract-unix-socket") {
		a.localSocket(c, v)
		if sends && isEngineSocket(v.text) {
			a.mark(c, "commands the container engine through "+v.text, effect.ContainerEscape)
		}
	}
}

func isEngineSocket(path string) bool {
	return strings.HasSuffix(path, "docker.sock") || strings.HasSuffix(path, "containerd.sock") || strings.HasSuffix(path, "podman.sock") || strings.HasSuffix(path, "crio.sock")
}
