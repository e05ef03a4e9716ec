package wrapper

import (
	"slices"
	"strings"

	"guardrails/detect/toolcall/flags"
	"guardrails/detect/toolcall/trace"
)

// The function zargs analyzes the function zargs of zsh: zargs OPTIONS -- OPERANDS -- COMMAND. The operands follow the
// command when it runs.
func zargs(t *trace.Trace, c *trace.Command) trace.Flow {
	operands := c.Args()
	for i := len(operands) - 1; i > 0; i-- {
		if operands[i].Text == "--" {
			return t.RunInner(c, slices.Concat(operands[i+1:], operands[:i]))
		}
	}
	return trace.Unknown()
}

// The function xargs analyzes the programs xargs and parallel. They run a command and take the operands of this command
// from their input.
func xargs(t *trace.Trace, c *trace.Command) trace.Flow {
	const spec = flags.Abbreviates + "?iel I n P L s d E a R j J S max-args max-procs delimiter arg-file jobs"
	o, rest := flags.ParseLeading(c.Args(), spec)
	inner := append([]trace.Value{}, rest...)
	marker := "{}"
	if vs := o.Values("I i replace"); len(vs) > 0 {
		marker = vs[0].Text
	}
	in := c.In
	for _, v := range o.Values("a arg-file") {
		in = t.ReadFlow(v, c.Scope, c.Span)
	}
	if len(inner) == 0 && c.Name != "parallel" {
		return trace.Flow{Taint: in.Taint}
	}
	args := inputWords(in)
	if (o.Has("I i replace 0 null d delimiter") || c.Name == "parallel") && in.Known {
		args = inputLines(in)
	}
	if i := indexOf(inner, "::::"); i >= 0 && i+1 < len(inner) {
		in = t.ReadFlow(inner[i+1], c.Scope, c.Span)
		inner, args = inner[:i], inputLines(in)
	}
	if !in.Known && in.Taint == trace.FromFile && (len(inner) == 0 || trace.IsShell(trace.ProgramName(inner[0].Text))) {
		args = []trace.Value{{Text: trace.TextOfFile(in.From()), Quality: trace.Quality{Partial: true, Taint: in.Taint}}}
	}
	if i := indexOf(inner, ":::"); i >= 0 {
		inner, args = inner[:i], inner[i+1:]
	}
	if c.Name == "parallel" {
		for _, v := range inner {
			if _, expression, ok := strings.Cut(v.Text, "{="); ok { // parallel evaluates it as Perl
				v.Text, _, _ = strings.Cut(expression, "=}")
				t.RunPerl(c, v)
			}
		}
		if o.HasWhole("dry-run dryrun") && !o.Has("rpl U") {
			return trace.Flow{Taint: in.Taint | trace.FromProgram} // only prints the commands
		}
	}
	if len(inner) == 0 && c.Name == "parallel" {
		for _, v := range args {
			t.RunText(c, v)
		}
		return trace.Unknown()
	}
	if c.Name == "parallel" && o.Has("pipe pipepart spreadstdin") {
		return t.Dispatch(inner, c.Span, c.Scope, trace.Streams{In: in})
	}
	placed := false
	for i := range inner {
		if strings.Contains(inner[i].Text, marker) {
			placed = true
		}
	}
	if placed {
		inner = Substitute(inner, marker, args)
	} else {
		inner = append(inner, args...)
	}
	if c.Name == "parallel" && len(inner) > 0 && strings.Contains(inner[0].Text, " ") {
		return runTemplate(t, c, trace.Joined(inner))
	}
	return t.Dispatch(inner, c.Span, c.Scope, trace.Streams{In: trace.Nothing()})
}

// runTemplate analyzes the text that parallel passes to a shell. Parallel puts its input into this text as quoted
// words. Unknown input is therefore always an argument and never a command.
func runTemplate(t *trace.Trace, c *trace.Command, v trace.Value) trace.Flow {
	if v.Partial && trace.KnownPrefix(v.Text) {
		v.Partial = false
	}
	return t.RunText(c, v)
}

// inputWords returns the words of a stream, or one unknown word if the stream is unknown.
func inputWords(in trace.Flow) []trace.Value {
	if !in.Known {
		return []trace.Value{{Text: "$(input)", Quality: trace.Quality{Partial: true, Taint: in.Taint}}}
	}
	var out []trace.Value
	isSpace := func(r rune) bool { return r == ' ' || r == '\t' || r == '\n' || r == 0 }
	for _, w := range strings.FieldsFunc(in.Text, isSpace) {
		if len(out) == trace.MaxFields {
			break
		}
		quality := trace.Quality{Taint: in.Taint, Glob: strings.ContainsAny(w, "*?[")}
		out = append(out, trace.Value{Text: w, Quality: quality})
	}
	return out
}

// inputLines returns the lines of a stream. If the stream contains NUL bytes, it returns the parts between the NUL
// bytes instead.
func inputLines(in trace.Flow) []trace.Value {
	var out []trace.Value
	separator := "\n"
	if strings.Contains(in.Text, "\x00") {
		separator = "\x00"
	}
	for _, line := range strings.Split(in.Text, separator) {
		if line = strings.TrimSpace(line); line != "" && len(out) < trace.MaxFields {
			quality := trace.Quality{Taint: in.Taint, Glob: strings.ContainsAny(line, "*?[")}
			out = append(out, trace.Value{Text: line, Quality: quality})
		}
	}
	return out
}

// Substitute replaces a marker such as {} in the arguments of a command. An argument that consists only of the marker
// is replaced with all values. In any other argument, the first value replaces the marker. If an argument would become
// too long, Substitute does not change it and marks it as partly known.
func Substitute(argv []trace.Value, marker string, with []trace.Value) []trace.Value {
	first := trace.Value{Text: "$(input)", Quality: trace.Quality{Partial: true}}
	if len(with) > 0 {
		first = with[0]
	}
	out := make([]trace.Value, 0, len(argv)+len(with))
	for _, v := range argv {
		switch {
		case v.Text == marker:
			out = append(out, with...)
		case strings.Count(v.Text, marker)*len(first.Text) > trace.MaxWord:
			v.Partial = true
			out = append(out, v)
		case strings.Contains(v.Text, marker):
			v.Text = strings.ReplaceAll(v.Text, marker, first.Text)
			v.Partial, v.Taint = v.Partial || first.Partial, v.Taint|first.Taint
			out = append(out, v)
		default:
			out = append(out, v)
		}
	}
	return out
}

func indexOf(argv []trace.Value, word string) int {
	for i, v := range argv {
		if v.Text == word {
			return i
		}
	}
	return -1
}
