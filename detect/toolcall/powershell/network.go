package powershell

import (
	"strings"

	"guardrails/detect/effect"
	"guardrails/detect/toolcall/program"
	"guardrails/detect/toolcall/trace"
)

// webRequest gets something from an address or sends something there.
func (c *PowerCall) webRequest() powerData {
	o := c.params()
	url := o.take(0, "uri url source").single(" ")
	t := url.Taint | c.in.taint() // what is piped in is the body
	sends := false
	if method, ok := o.value("method"); ok {
		text := strings.ToLower(method.single("").Text)
		sends = text == "post" || text == "put" || text == "patch"
	}
	for _, name := range [...]string{"body", "form", "headers"} {
		if arg, ok := o.value(name); ok {
			t |= arg.taint() | c.P.tableTaint(arg)
		}
	}
	if file, ok := o.value("infile"); ok {
		t |= c.P.read(file.single(" "), c.Span).taint()
		sends = true
	}
	host := trace.URLHost(url.Text)
	if sends || t.IsPrivate() {
		c.P.upload(host, t, c.Span)
	} else {
		c.P.trace.Emit(effect.Effect{Kind: effect.Fetch, Host: host, Span: c.Span})
	}
	if out, ok := o.value("outfile destination"); ok {
		c.P.write(out.single(" "), c.Span, unknownWith(trace.FromNetwork))
		return powerData{}
	}
	return unknownWith(trace.FromNetwork)
}

// tableTaint is where the values of a hash table come from.
func (p *powerShell) tableTaint(arg powerArg) trace.Taint {
	if arg.table.text == "" {
		return 0
	}
	r := &powerReader{p: p, s: arg.table.text, base: arg.table.base}
	var t trace.Taint
	for !r.end() && !p.trace.Full {
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
func (p *powerShell) upload(host string, t trace.Taint, span effect.Span) {
	program.Upload(p.trace, &trace.Command{Span: span}, host, t)
}

func (c *PowerCall) sendMail() powerData {
	o := c.params()
	t := c.in.taint()
	if body, ok := o.value("body"); ok {
		t |= body.taint()
	}
	if files, ok := o.value("attachments"); ok {
		for _, v := range files.list {
			t |= c.P.read(v, c.Span).taint()
		}
	}
	server, _ := o.value("smtpserver")
	c.P.upload(server.single("").Text, t, c.Span)
	return powerData{}
}
