package toolcall

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"guardrails/detect/effect"
)

// redirections follows a statement's redirections: what is read and written, and what then comes in.
func (a *analyzer) redirections(list []*syntax.Redirect, sc *scope, stdin flow) streams {
	io := streams{in: stdin}
	for _, r := range list {
		span := a.spanOf(r.Pos(), r.Word.End())
		switch r.Op {
		case syntax.Hdoc, syntax.DashHdoc:
			io.in = a.hereDocument(r, sc)
			continue
		case syntax.WordHdoc:
			v := a.single(r.Word, sc)
			io.in = flow{text: v.text, known: !v.partial, taint: v.taint}
			continue
		}
		fields := a.fields(r.Word, sc)
		if len(fields) == 0 {
			continue
		}
		a.redirect(r, fields[0], sc, span, &io)
	}
	return io
}

func (a *analyzer) redirect(r *syntax.Redirect, v value, sc *scope, span effect.Span, io *streams) {
	if isSocket(v.text) {
		io.socket = true
		a.emit(effect.Effect{Kind: effect.Send, Host: socketHost(v.text), Span: span})
		return
	}
	switch r.Op {
	case syntax.RdrIn:
		io.in = a.readFlow(v, sc, span)
	case syntax.DplIn, syntax.DplOut:
		if isDescriptor(v.text) {
			return
		}
		a.outputTo(r, v, sc, span, io)
	default:
		a.outputTo(r, v, sc, span, io)
	}
}

func (a *analyzer) outputTo(r *syntax.Redirect, v value, sc *scope, span effect.Span, io *streams) {
	standard := r.N == nil || r.N.Value == "1"
	if standard {
		io.diverted = true
	}
	if v.pipe != nil {
		return
	}
	path := a.write(v, sc, span)
	if standard && path != "" {
		io.files = append(io.files, path)
	}
}

func isDescriptor(s string) bool { return s == "-" || strings.Trim(s, "0123456789-") == "" }

func isSocket(path string) bool {
	return strings.HasPrefix(path, "/dev/tcp/") || strings.HasPrefix(path, "/dev/udp/")
}

func socketHost(path string) string {
	host, _, _ := strings.Cut(path[len("/dev/tcp/"):], "/")
	return host
}

// readFlow is what comes out of a file.
func (a *analyzer) readFlow(v value, sc *scope, span effect.Span) flow {
	if v.pipe != nil {
		return *v.pipe
	}
	p := a.read(v, sc, span)
	return a.contentOf(p)
}

// contentOf is what a file holds, if the call itself wrote it.
func (a *analyzer) contentOf(p place) flow {
	if f, ok := a.content[p.name]; ok {
		f.file = pathOfFlow(p.name)
		return f
	}
	f := flow{taint: fromFile, file: pathOfFlow(p.name)}
	if p.abs == "/dev/zero" || p.abs == "/dev/urandom" || p.abs == "/dev/random" {
		f.taint |= endless
	}
	if p.secret {
		f.taint |= fromSecret
	}
	if p.program {
		f.taint |= fromGuard
	}
	return f
}

// onSocket judges a command whose input or output is a connection: a shell there obeys whoever is at the other end.
func (a *analyzer) onSocket(c *command) {
	if isShell(c.name) || c.name == "exec" {
		a.mark(c, "connects a shell to the network", effect.ReverseShell)
	}
}

// sentToSocket judges what a command prints into a connection: the last one that was opened.
func (a *analyzer) sentToSocket(out flow) {
	if !out.taint.isPrivate() {
		return
	}
	for i := len(a.effects) - 1; i >= 0; i-- {
		if e := &a.effects[i]; e.Kind == effect.Send {
			e.Note("sends a secret to "+orElse(e.Host, "another machine"), effect.SecretSend)
			return
		}
	}
}
