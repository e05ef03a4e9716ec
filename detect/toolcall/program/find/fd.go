package find

import (
	"strings"

	"guardrails/detect/toolcall/flags"
	"guardrails/detect/toolcall/program/wrapper"
	"guardrails/detect/toolcall/trace"
	"guardrails/internal/product"
)

// The function fd analyzes the program fd, which finds files like the program "find". The flags -x and -X run a command
// on the files that fd finds. All arguments after such a flag belong to the command.
func fd(t *trace.Trace, c *trace.Command) trace.Flow {
	const values = "e t d E S c j extension type max-depth exclude size color threads"
	args := c.Args()
	var command []trace.Value
	for i := range args {
		if o := flags.Parse(args[i:i+1], values); o.Has("x X exec exec-batch") {
			args, command = args[:i+1], args[i+1:]
			break
		}
	}
	o := flags.Parse(args, values)
	start := trace.Value{Text: "."}
	if len(o.Operands) > 1 {
		start = o.Operands[len(o.Operands)-1]
	}
	filters := fdFilters(&o, start.Text)
	if len(command) == 0 {
		return fdNames(t, c, start, filters)
	}
	if !strings.Contains(trace.JoinArgs(command), "{}") {
		command = append(command[:len(command):len(command)], trace.Value{Text: "{}"})
	}
	for i := range filters {
		if files := filters[i].guardFiles(t, c, start); len(files) > 0 {
			t.RunInner(c, wrapper.Substitute(command, "{}", []trace.Value{{Text: files[0]}}))
			break
		}
	}
	found := make([]trace.Value, 0, 1)
	for _, ending := range o.Values("e extension") {
		text := foundBelow(start.Text, "*."+ending.Text)
		found = append(found, trace.Value{Text: text, Quality: trace.Quality{Glob: true}})
	}
	if name := filters[0].name; len(found) == 0 && isOutput(name) && (filters[0].hollow || !strings.HasSuffix(name, "*")) {
		found = append(found, trace.Value{Text: foundBelow(start.Text, name), Quality: trace.Quality{Glob: true}})
	}
	if len(found) == 0 {
		text := strings.TrimSuffix(start.Text, "/") + "/$found"
		found = append(found, trace.Value{Text: text, Quality: trace.Quality{Partial: true}})
	}
	return t.RunInner(c, wrapper.Substitute(command, "{}", found))
}

// fdFilters returns one filter for each file extension in the options of fd. Without such an option, it returns a
// single filter.
func fdFilters(o *flags.Options, start string) []filter {
	f := filter{narrowed: true, name: fdName(o)}
	f.skipsHidden = !o.Has("H hidden u unrestricted") && !strings.Contains(start, product.ClientFolder)
	for _, v := range o.Values("E exclude") {
		f.skipsHidden = f.skipsHidden || isHidden("/"+v.Text)
	}
	for _, v := range o.Values("t type") {
		f.hollow = strings.HasPrefix(v.Text, "d") || strings.HasPrefix(v.Text, "l")
	}
	var out []filter
	for _, v := range o.Values("e extension") {
		ending := f
		if f.name != "" {
			ending.name = strings.TrimSuffix(f.name, "*") + "*." + v.Text
		}
		out = append(out, ending)
	}
	if len(out) == 0 {
		out = append(out, f)
	}
	return out
}

// fdName returns a glob for the names of the files that fd finds, or "" for a pattern that no glob can express.
func fdName(o *flags.Options) string {
	pattern := o.Word(0)
	switch {
	case pattern == "" || pattern == ".":
		return "*"
	case o.Has("g glob"):
		return pattern
	case !o.Has("F fixed-strings"):
		pattern = strings.ReplaceAll(strings.ReplaceAll(pattern, `\.`, "."), ".*", "*")
		if strings.ContainsAny(pattern, `[]{}()|+?\`) {
			return ""
		}
	}
	pattern, atEnd := strings.CutSuffix("*"+pattern, "$")
	if !atEnd {
		pattern += "*"
	}
	return strings.Replace(pattern, "*^", "", 1)
}

// fdNames returns the output of fd, as far as it is known. If fd searches by file extension only, the output is known.
// Otherwise, fdNames returns a known output only if fd may print names of files of the guard. The output then has only
// these names.
func fdNames(t *trace.Trace, c *trace.Command, start trace.Value, filters []filter) trace.Flow {
	if strings.HasPrefix(filters[0].name, "*.") {
		return foundNames(t, c, []trace.Value{start}, filters)
	}
	var text string
	for i := range filters {
		for _, file := range filters[i].guardFiles(t, c, start) {
			text += file + "\n"
		}
	}
	if text == "" {
		return trace.Unknown()
	}
	return trace.Flow{Text: text, Known: true, Taint: trace.FromProgram}
}
