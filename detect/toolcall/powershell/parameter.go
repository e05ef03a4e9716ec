package powershell

import (
	"strings"

	"guardrails/detect/toolcall/trace"
)

// The type "parameters" holds the arguments of a command, divided into operands and parameters such as -Path.
//
// The parser in the package "flags" cannot read these arguments, because their grammar is different. A parameter has
// one hyphen and a long name. The name may be abbreviated, and its case is ignored. Several parameters cannot share one
// hyphen. The value of a parameter is the next argument, or follows the name and a colon. A quoted word is never a
// parameter. Parameters may come after operands.
type parameters struct {
	named    []parameter
	operands []argument
}

// The type "parameter" holds a parameter with its value, such as -Path x or -Recurse.
type parameter struct {
	name     string // the name as written, in lower case; PowerShell accepts a prefix of the full name
	arg      argument
	hasValue bool
}

func (c *call) params() parameters {
	var out parameters
	for i := 0; i < len(c.args); i++ {
		name, ok := paramName(c.args[i])
		if !ok {
			out.operands = append(out.operands, c.args[i])
			continue
		}
		name, attached, has := strings.Cut(name, ":")
		n := parameter{name: strings.ToLower(name), hasValue: has}
		switch {
		case has && attached != "":
			quality := trace.Quality{Partial: c.args[i].values[0].Partial, Taint: c.args[i].taint()}
			n.arg.values = []trace.Value{{Text: attached, Quality: quality}}
		case (has || !isSwitch(n.name)) && i+1 < len(c.args):
			if _, isName := paramName(c.args[i+1]); !isName {
				i++
				n.arg, n.hasValue = c.args[i], true
			}
		}
		out.named = append(out.named, n)
	}
	return out
}

// paramName returns the name of a parameter, without the hyphen, if an argument such as -Path is a parameter.
func paramName(arg argument) (string, bool) {
	if arg.quoted || arg.isCode || len(arg.values) != 1 {
		return "", false
	}
	text := arg.values[0].Text
	if len(text) < 2 || text[0] != '-' || !isAlpha(text[1]) {
		return "", false
	}
	return text[1:], true
}

// ProgramParameter returns the name, in lower case, of a parameter of the program PowerShell itself. In the arguments
// of this program, a slash or two hyphens may come before the name. ProgramParameter returns false if the argument is
// an operand.
func ProgramParameter(text string) (string, bool) {
	name, ok := strings.CutPrefix(text, "--")
	if !ok {
		if text == "/" || text == "" || text[0] != '-' && text[0] != '/' {
			return "", false
		}
		name = text[1:]
	}
	name, _, _ = strings.Cut(name, ":")
	return strings.ToLower(name), true
}

// ShortFor reports whether a name in a call ("written") is an abbreviation of a parameter's full name.
func ShortFor(written, full string) bool { return strings.HasPrefix(full, written) }

// isSwitch reports whether a parameter is a switch, which takes no value. Some abbreviations stand for a switch and
// also for a parameter with a value. Of these, -r, -f, -v and -i count as switches. All others count as parameters with
// a value.
func isSwitch(name string) bool {
	if strings.Trim(name, "rfvi") == "" {
		return true
	}
	for _, full := range [...]string{"path", "filter", "filepath", "verb", "value", "passthrough"} {
		if ShortFor(name, full) {
			return false
		}
	}
	for _, full := range [...]string{
		"recurse", "force", "whatif", "verbose", "debug", "passthru", "append", "noclobber", "nonewline", "wait",
		"nonewwindow", "asjob", "usebasicparsing", "directory", "hidden", "raw", "allmatches", "quiet", "casesensitive",
		"simplematch", "asplaintext", "noprofile", "noninteractive", "nologo", "autosize", "confirm", "leaf", "parent",
		"resolve", "allusers",
	} {
		if ShortFor(name, full) {
			return true
		}
	}
	return false
}

// isOn reports whether the call turns a switch on.
func (o *parameters) isOn(full string) bool {
	for _, n := range o.named {
		if ShortFor(n.name, full) && (!n.hasValue || n.arg.single("").Text != "$false") {
			return true
		}
	}
	return false
}

// value() returns the value of the first parameter of the call that has one of the names.
func (o *parameters) value(names string) (argument, bool) {
	for _, full := range strings.Split(names, " ") {
		for _, n := range o.named {
			if n.hasValue && ShortFor(n.name, full) {
				return n.arg, true
			}
		}
	}
	return argument{}, false
}

// valueAt returns the value of a parameter that has one of the names. If the call has no such parameter, valueAt
// returns the operand at the given position.
func (o *parameters) valueAt(position int, names string) argument {
	if arg, ok := o.value(names); ok {
		return arg
	}
	for _, n := range o.named {
		// If the call passes a path by name, the path takes up no position, so the operands move up by one.
		if n.hasValue && n.name != "" && (ShortFor(n.name, "path") || ShortFor(n.name, "literalpath")) && position > 0 {
			position--
		}
	}
	if position < len(o.operands) {
		return o.operands[position]
	}
	return argument{}
}

// paths() returns the paths on which a command works. They come from the arguments of the command or from the pipe.
func (c *call) paths(o *parameters) []trace.Value {
	if arg := o.valueAt(0, "path literalpath filepath lp"); len(arg.values) > 0 || len(arg.files) > 0 {
		return append(append([]trace.Value{}, arg.files...), withoutFileText(arg.objects)...)
	}
	if len(c.in.files) > 0 {
		return c.in.files
	}
	return c.in.values
}

// withoutFileText returns the values of objects. If the objects are files, it returns nothing, because the values are
// then only placeholders for the files.
func withoutFileText(o objects) []trace.Value {
	if len(o.files) > 0 {
		return nil
	}
	return o.values
}
