package powershell

import (
	"strings"

	"guardrails/detect/effect"
	"guardrails/detect/toolcall/program"
	"guardrails/detect/toolcall/self"
	"guardrails/detect/toolcall/trace"
)

// webRequest analyzes a cmdlet that downloads or uploads something.
func (c *call) webRequest() objects {
	o := c.params()
	url := o.valueAt(0, "uri url source").single(" ")
	t := url.Taint | c.in.taint() // the input from the pipe is the body of the request
	sends, method := false, ""
	if arg, ok := o.value("method"); ok {
		method = strings.ToUpper(arg.single("").Text)
		sends = method == "POST" || method == "PUT" || method == "PATCH"
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
	self.MarkServerRequest(c.p.trace, &trace.Command{Span: c.span}, method, url.Text, "", sends)
	host := trace.URLHost(url.Text)
	switch {
	case sends || t.IsPrivate():
		c.p.upload(host, t, c.span)
	case method == "DELETE":
		argv := []trace.Value{{Text: "curl"}, {Text: "-X"}, {Text: method}, url}
		c.p.trace.Dispatch(argv, c.span, c.p.sc, trace.Streams{In: trace.Nothing()})
	default:
		c.p.trace.Emit(effect.Effect{Kind: effect.Fetch, Host: host, Span: c.span})
	}
	out, ok := o.value("outfile destination")
	if c.name == "start-bitstransfer" && !ok && len(o.operands) > 1 {
		out, ok = o.operands[1], true
	}
	if ok {
		c.p.write(out.single(" "), c.span, unknownFrom(trace.FromNetwork))
		return objects{}
	}
	return unknownFrom(trace.FromNetwork)
}

// tableTaint returns the combined taint of the values in a hash table.
func (p *interpreter) tableTaint(arg argument) trace.Taint {
	if arg.table.text == "" {
		return 0
	}
	r := &reader{p: p, s: arg.table.text, offset: arg.table.offset}
	var t trace.Taint
	for !r.atEnd() && !p.trace.Full {
		r.skipSeparators()
		start := r.i
		r.name("-\"' ")
		r.skipSpaces()
		if r.peek(0) == '=' {
			r.i++
			t |= r.expression().taint()
		}
		if r.i == start {
			r.i++
		}
	}
	return t
}

func (p *interpreter) upload(host string, t trace.Taint, span effect.Span) {
	program.Upload(p.trace, &trace.Command{Span: span}, host, t)
}

func (c *call) sendMail() objects {
	o := c.params()
	t := c.in.taint()
	if body, ok := o.value("body"); ok {
		t |= body.taint()
	}
	if files, ok := o.value("attachments"); ok {
		for _, v := range files.values {
			t |= c.p.read(v, c.span).taint()
		}
	}
	server, _ := o.value("smtpserver")
	c.p.upload(server.single("").Text, t, c.span)
	return objects{}
}
