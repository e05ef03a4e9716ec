package powershell

import (
	"strings"

	"guardrails/detect/toolcall/trace"
)

// powerParams are a command's arguments sorted into named ones and the others.
type powerParams struct {
	named    []powerNamed
	operands []powerArg
}

type powerNamed struct {
	name string // lower case, as written: any beginning of the full name will do
	arg  powerArg
	has  bool
}

func (c *PowerCall) params() powerParams {
	var out powerParams
	for i := 0; i < len(c.args); i++ {
		name, ok := paramName(c.args[i])
		if !ok {
			out.operands = append(out.operands, c.args[i])
			continue
		}
		name, attached, has := strings.Cut(name, ":")
		n := powerNamed{name: strings.ToLower(name), has: has}
		switch {
		case has && attached != "":
			n.arg.list = []trace.Value{{Text: attached, Quality: trace.Quality{Partial: c.args[i].list[0].Partial, Taint: c.args[i].taint()}}}
		case (has || !isPowerSwitch(n.name)) && i+1 < len(c.args):
			if _, isName := paramName(c.args[i+1]); !isName {
				i++
				n.arg, n.has = c.args[i], true
			}
		}
		out.named = append(out.named, n)
	}
	return out
}

// paramName is an argument that names a parameter, without its hyphen.
func paramName(arg powerArg) (string, bool) {
	if arg.quoted || arg.isCode || len(arg.list) != 1 {
		return "", false
	}
	text := arg.list[0].Text
	if len(text) < 2 || text[0] != '-' || !isAlpha(text[1]) {
		return "", false
	}
	return text[1:], true
}

// ShortFor reports whether a parameter's name may be cut short as it is written.
func ShortFor(written, full string) bool { return strings.HasPrefix(full, written) }

// isPowerSwitch reports whether a parameter takes no value. A name that may be cut short in two ways is taken for the
// one with a value, unless it is one letter.
func isPowerSwitch(name string) bool {
	if strings.Trim(name, "rfvi") == "" {
		return true
	}
	for _, full := range [...]string{"path", "filter", "filepath", "verb", "value", "passthrough"} {
		if ShortFor(name, full) {
			return false
		}
	}
	for _, full := range [...]string{
		"recurse", "force", "whatif", "verbose", "debug", "passthru", "append", "noclobber", "nonewline", "wait", "nonewwindow", "asjob", "usebasicparsing", "directory", "hidden",
		"raw", "allmatches", "quiet", "casesensitive", "simplematch", "asplaintext", "noprofile", "noninteractive", "nologo", "autosize", "confirm", "leaf", "parent", "resolve", "allusers",
	} {
		if ShortFor(name, full) {
			return true
		}
	}
	return false
}

// has reports whether a switch is on.
func (o *powerParams) has(full string) bool {
	for _, n := range o.named {
		if ShortFor(n.name, full) && (!n.has || n.arg.single("").Text != "$false") {
			return true
		}
	}
	return false
}

// named is the value of the first of the parameters that is given.
func (o *powerParams) value(names string) (powerArg, bool) {
	for full := range strings.SplitSeq(names, " ") {
		for _, n := range o.named {
			if n.has && ShortFor(n.name, full) {
				return n.arg, true
			}
		}
	}
	return powerArg{}, false
}

// take is a parameter by name, or else the operand at a position.
func (o *powerParams) take(position int, names string) powerArg {
	if arg, ok := o.value(names); ok {
		return arg
	}
	for _, n := range o.named {
		// A parameter that was given by name does not take a position, so the later ones move up.
		if n.has && n.name != "" && (ShortFor(n.name, "path") || ShortFor(n.name, "literalpath")) && position > 0 {
			position--
		}
	}
	if position < len(o.operands) {
		return o.operands[position]
	}
	return powerArg{}
}

// paths are the paths that a command works on: given, or coming in over the pipe.
func (c *PowerCall) paths(o *powerParams) []trace.Value {
	if arg := o.take(0, "path literalpath filepath lp"); len(arg.list) > 0 || len(arg.files) > 0 {
		return append(append([]trace.Value{}, arg.files...), knownOnly(arg.powerData)...)
	}
	if len(c.in.files) > 0 {
		return c.in.files
	}
	return c.in.list
}

// knownOnly leaves out the stand-in text of file objects.
func knownOnly(d powerData) []trace.Value {
	if len(d.files) > 0 {
		return nil
	}
	return d.list
}
