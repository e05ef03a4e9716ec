package shell

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"guardrails/detect/effect"
	"guardrails/detect/toolcall/trace"
	"guardrails/detect/toolcall/words"
)

// redirections() analyzes the redirections of a statement. It returns the source of the statement's input and the
// targets of its output.
func redirections(t *trace.Trace, list []*syntax.Redirect, sc *trace.Scope, stdin trace.Flow) trace.Streams {
	io := trace.Streams{In: stdin}
	for _, r := range list {
		span := spanOf(t, r.Pos(), r.Word.End())
		switch r.Op {
		case syntax.Hdoc, syntax.DashHdoc:
			io.In = hereDocument(t, r, sc)
			continue
		case syntax.WordHdoc:
			v := single(t, r.Word, sc)
			io.In = trace.Flow{Text: v.Text, Known: !v.Partial, Taint: v.Taint}
			continue
		}
		fields := fields(t, r.Word, sc)
		if len(fields) == 0 {
			continue
		}
		redirect(t, r, fields[0], sc, span, &io)
	}
	return io
}

func redirect(t *trace.Trace, r *syntax.Redirect, v trace.Value, sc *trace.Scope, span effect.Span, io *trace.Streams) {
	if trace.IsSocket(v.Text) {
		io.Socket = true
		t.Emit(effect.Effect{Kind: effect.Send, Host: trace.SocketHost(v.Text), Span: span})
		return
	}
	switch r.Op {
	case syntax.RdrIn:
		io.In = t.ReadFlow(v, sc, span)
	case syntax.DplIn, syntax.DplOut:
		if r.Op == syntax.DplIn && (r.N == nil || r.N.Value == "0") && !words.OneOf(v.Text, "0 1 2 -") {
			io.In = trace.Flow{Taint: trace.FromProgram} // as in bash <&7
			return
		}
		if isDescriptor(v.Text) {
			return
		}
		outputTo(t, r, v, sc, span, io)
	default:
		outputTo(t, r, v, sc, span, io)
	}
}

func outputTo(t *trace.Trace, r *syntax.Redirect, v trace.Value, sc *trace.Scope, span effect.Span, io *trace.Streams) {
	standard := r.N == nil || r.N.Value == "1"
	if r.N != nil && strings.HasPrefix(r.N.Value, "{") {
		sc.Set(strings.Trim(r.N.Value, "{}"), trace.Variable{Values: []trace.Value{{Text: "10"}}})
	}
	if standard {
		io.Diverted = true
	}
	if v.Pipe != nil {
		return
	}
	write, appends := t.Write, r.Op == syntax.AppOut || r.Op == syntax.AppAll
	if appends {
		write = t.AddTo
	}
	if path := write(v, sc, span); standard && path != "" {
		io.Files = append(io.Files, trace.WrittenFile{Path: path, Value: v})
		io.Appends = appends
	}
}

func isDescriptor(s string) bool { return s == "-" || strings.Trim(s, "0123456789-") == "" }

// MarkSocketShell marks a shell whose input or output is a network connection, because the machine at the other end of
// the connection controls the shell.
func MarkSocketShell(t *trace.Trace, c *trace.Command) {
	if trace.IsShell(c.Name) || c.Name == "exec" {
		t.Mark(c, "connects a shell to the network", effect.ReverseShell)
	}
}

// markSecretSent is for the output of a command. If the output contains a secret, markSecretSent marks the last effect
// that sends data.
func markSecretSent(t *trace.Trace, out trace.Flow) {
	if !out.Taint.IsPrivate() {
		return
	}
	for i := len(t.Effects) - 1; i >= 0; i-- {
		if e := &t.Effects[i]; e.Kind == effect.Send {
			e.Note("sends a secret to "+words.OrElse(e.Host, "another machine"), effect.SecretSend)
			return
		}
	}
}
