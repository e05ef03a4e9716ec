package toolcall

import (
	"strings"

	"guardrails/detect/effect"
)

// webRequest gets something from an address or sends something there.
func (c *powerCall) webRequest() powerData {
	o := c.params()
	url := o.take(0, "uri url source").single(" ")
	t := url.taint | c.in.taint() // what is piped in is the body
	sends := false
	if method, ok := o.value("method"); ok {
		text := strings.ToLower(method.single("").text)
		sends = text == "post" || text == "put" || text == "patch"
	}
	for _, name := range [...]string{"body", "form", "headers"} {
		if arg, ok := o.value(name); ok {
			t |= arg.taint() | c.p.tableTaint(arg)
		}
	}
	if file, ok := o.value("infile"); ok {
		t |= c.p.read(file.single(" "), c.span).taint()
		sends = true
	}
	host := urlHost(url.text)
	if sends || t.isPrivate() {
		c.p.upload(host, t, c.span)
	} else {
		c.p.a.emit(effect.Effect{Kind: effect.Fetch, Host: host, Span: c.span})
	}
	if out, ok := o.value("outfile destination"); ok {
		c.p.write(out.single(" "), c.span, unknownWith(fromNetwork))
		return powerData{}
	}
	return unknownWith(fromNetwork)
}

// tableTaint is where the values of a hash table come from.
func (p *powerShell) tableTaint(arg powerArg) taint {
	if arg.table.text == "" {
		return 0
	}
	r := &powerReader{p: p, s: arg.table.text, base: arg.table.base}
	var t taint
	for !r.end() && !p.a.full {
		r.separators()
		start := r.i
		r.name("-\"' ")
		r.spaces()
		if r.at(0) == '=' {
			r.i++
			t |= r.expressionValue().taint()
		}
		if r.i == start {
			r.i++
		}
	}
	return t
}

// upload notes that data goes to a host.
func (p *powerShell) upload(host string, t taint, span effect.Span) {
	p.a.upload(&command{span: span}, host, t)
}

func (c *powerCall) sendMail() powerData {
	o := c.params()
	t := c.in.taint()
	if body, ok := o.value("body"); ok {
		t |= body.taint()
	}
	if files, ok := o.value("attachments"); ok {
		for _, v := range files.list {
			t |= c.p.read(v, c.span).taint()
		}
	}
	server, _ := o.value("smtpserver")
	c.p.upload(server.single("").text, t, c.span)
	return powerData{}
}
