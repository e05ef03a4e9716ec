package interpreter

// awk.go analyzes the command line of awk.

import (
	"slices"
	"strings"

	"guardrails/detect/toolcall/code"
	"guardrails/detect/toolcall/flags"
	"guardrails/detect/toolcall/program"
	"guardrails/detect/toolcall/trace"
)

// awkProgram analyzes the program that awk runs, and records the files that awk reads or, with "-i inplace", changes.
func awkProgram(t *trace.Trace, c *trace.Command) trace.Flow {
	o := flags.Parse(c.Args(), "F v f e i o l assign file field-separator include source E exec")
	inPlace := false
	for _, v := range o.Values("i include") {
		inPlace = inPlace || v.Text == "inplace"
	}
	programs := o.Values("e source")
	operands := o.Operands
	files := o.Values("f file E exec")
	if len(programs) == 0 && len(files) == 0 && len(operands) > 0 {
		programs, operands = operands[:1], operands[1:]
	}
	variables := slices.Concat(o.Values("v assign"), operands)
	for _, v := range operands {
		awkInput(t, c, v, inPlace)
	}
	for _, v := range files {
		runAwkFile(t, c, v, variables)
	}
	if len(programs) == 0 {
		return trace.Flow{Taint: c.In.Taint | trace.FromProgram}
	}
	source := joinCode(programs)
	if fields := strings.Fields(c.In.Text); c.In.Known && !strings.Contains(strings.TrimSpace(c.In.Text), "\n") &&
		!o.Has("F field-separator") && !strings.Contains(source.Text+trace.JoinAll(variables), "FS") {
		for i, field := range fields[:min(len(fields), 9)] {
			v := trace.Value{Text: "$" + string(rune('1'+i)) + "=" + field, Quality: trace.Quality{Taint: c.In.Taint}}
			variables = append(variables, v)
		}
	}
	return code.RunAwk(t, c, source, variables)
}

// millerProgram handles mlr. The expressions of its verbs "put" and "filter" are similar to awk.
func millerProgram(t *trace.Trace, c *trace.Command) trace.Flow {
	inExpression := false
	for _, v := range c.Args() {
		switch {
		case v.Text == "put" || v.Text == "filter":
			inExpression = true
		case inExpression && !strings.HasPrefix(v.Text, "-"):
			inExpression = false
			code.RunAwk(t, c, v, nil)
		}
	}
	return program.Plain(t, c)
}

// awkInput adds the effect on one file on the command line of awk. If the parameter "inPlace" is set, awk changes the
// file. Otherwise, awk reads the file.
func awkInput(t *trace.Trace, c *trace.Command, v trace.Value, inPlace bool) {
	switch {
	case strings.Contains(v.Text, "=") || v.Text == "-":
	case inPlace:
		t.Write(v, c.Scope, c.Span)
	default:
		c.In.Taint |= t.ReadFlow(v, c.Scope, c.Span).Taint
		c.In.Known = false
	}
}

// runAwkFile analyzes an awk program in a file or in standard input.
func runAwkFile(t *trace.Trace, c *trace.Command, v trace.Value, variables []trace.Value) {
	var f trace.Flow
	if v.Pipe != nil {
		f = *v.Pipe
	} else if v.Text == "-" || v.Text == "/dev/stdin" {
		f = c.In
	} else {
		p := t.Place(v, c.Scope)
		f = t.ContentOf(p)
	}
	if f.Known {
		code.RunAwk(t, c, trace.Value{Text: f.Text, Quality: trace.Quality{Taint: f.Taint}}, variables)
		return
	}
	if v.Pipe == nil && f.Taint == trace.FromFile {
		t.CommandsIn(c, v, func(inner *trace.Command, text string) { code.RunAwk(t, inner, trace.Value{Text: text}, variables) })
		return
	}
	t.RunUnknown(c, f.Taint&^trace.FromFile, "runs an awk program that was not analyzed")
}
