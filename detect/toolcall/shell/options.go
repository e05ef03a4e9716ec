package shell

import (
	"strings"

	"guardrails/detect/toolcall/trace"
)

// The type "options" holds the options of a shell or of the builtin "set", as in "bash -eo pipefail -c TEXT" and
// "set -e -- a b".
//
// The parser in the package "flags" cannot read these options, because their grammar is different. A + turns an option
// off. Several letters can share one hyphen, as in -eo. The letters o and O take the next argument, even if other
// letters follow them. The letter c takes the first operand rather than the next argument. A single hyphen ends the
// options.
type options struct {
	given    []trace.Value // the options, with the values of o and O
	operands []trace.Value
	// The field "ended" is set if a - or -- comes after the options.
	ended bool
}

// parseOptions splits the arguments of a shell, or of "set", into options and operands.
func parseOptions(args []trace.Value) options {
	i := 0
	for i < len(args) {
		text := args[i].Text
		switch {
		case text == "-" || text == "--":
			return options{given: args[:i], operands: args[i+1:], ended: true}
		case len(text) < 2 || text[0] != '-' && text[0] != '+':
			return options{given: args[:i], operands: args[i:]}
		case text == "--rcfile" || text == "--init-file":
			i++
		case text[1] != '-':
			i += strings.Count(text, "o") + strings.Count(text, "O")
		}
		i++
	}
	return options{given: args}
}

// isOn reports whether the option with this letter is turned on. For example, "-ec" turns on e.
func (o *options) isOn(letter byte) bool {
	for _, v := range o.given {
		if len(v.Text) > 1 && v.Text[0] == '-' && v.Text[1] != '-' && strings.IndexByte(v.Text, letter) > 0 {
			return true
		}
	}
	return false
}

func (o *options) hasLong(name string) bool {
	for _, v := range o.given {
		if v.Text == name {
			return true
		}
	}
	return false
}

// command() returns the operands that belong to the option -c, as in "-c TEXT NAME ARGUMENT…". The shell runs TEXT. If
// there is no option -c, the method returns false.
func (o *options) command() ([]trace.Value, bool) {
	for _, v := range o.given {
		if text, ok := strings.CutPrefix(v.Text, "--command="); ok {
			v.Text = text
			return append([]trace.Value{v}, o.operands...), true
		}
	}
	return o.operands, o.isOn('c') || o.hasLong("--command")
}
