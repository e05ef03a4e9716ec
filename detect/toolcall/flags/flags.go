// Package flags sorts the arguments of a command into flags and operands.
package flags

import (
	"strconv"
	"strings"

	"guardrails/detect/toolcall/trace"
	"guardrails/detect/toolcall/words"
)

// IsOn reports whether a switch is on. The last value counts, so --dry-run --dry-run=false is off.
func (o *Options) IsOn(names ...string) bool {
	on := false
	for _, f := range o.Flags {
		name, value, has := strings.Cut(strings.TrimPrefix(f.Name, "-"), "=")
		if f.Has {
			value, has = f.Value.Text, true
		}
		for _, n := range names {
			if name == n {
				set, err := strconv.ParseBool(value)
				on = !has || err == nil && set
			}
		}
	}
	return on
}

// Order returns the first operands of a command, for use in the reason of an effect.
func (o *Options) Order() string {
	return trace.Shorten(trace.JoinAll(o.Operands[:min(4, len(o.Operands))]))
}

// ParseLeading parses the flags before the first operand and returns them and the rest.
func ParseLeading(args []trace.Value, withValue string) (Options, []trace.Value) {
	i := 0
	for i < len(args) {
		text := args[i].Text
		if text == "--" {
			return Parse(args[:i], withValue), args[i+1:]
		}
		if len(text) < 2 || text[0] != '-' {
			break
		}
		i += 1 + words.Btoi(takesNext(text, withValue))
	}
	i = min(i, len(args))
	return Parse(args[:i], withValue), args[i:]
}

// takesNext reports whether the next argument is the value of a flag. In a cluster, the first letter that takes a
// value decides.
func takesNext(text, withValue string) bool {
	if strings.HasPrefix(text, "--") {
		return !strings.Contains(text, "=") && TakesValue(withValue, text[2:])
	}
	for i := 1; i < len(text); i++ {
		if TakesValue(withValue, text[i:i+1]) {
			return i+1 == len(text)
		}
	}
	return false
}

// AfterDashes returns the arguments after --, which are often an inner command.
func AfterDashes(args []trace.Value) ([]trace.Value, bool) {
	for i, v := range args {
		if v.Text == "--" {
			return args[i+1:], true
		}
	}
	return nil, false
}

// Options are the arguments of a command, sorted into flags and operands.
type Options struct {
	Flags    []flag
	Operands []trace.Value
}

type flag struct {
	Name  string // without hyphens
	Value trace.Value
	Has   bool // it has a value
}

// Parse sorts arguments as getopt does. withValue lists the flags that take a value, separated by spaces, both single
// letters and long names.
func Parse(args []trace.Value, withValue string) Options {
	var o Options
	for i := 0; i < len(args); i++ {
		text := args[i].Text
		switch {
		case text == "--":
			o.Operands = append(o.Operands, args[i+1:]...)
			return o
		case strings.HasPrefix(text, "--"):
			name, attached, has := strings.Cut(text[2:], "=")
			f := flag{Name: name, Has: has, Value: args[i]}
			f.Value.Text = attached
			if !has && TakesValue(withValue, name) && i+1 < len(args) {
				i++
				f.Value, f.Has = args[i], true
			}
			o.Flags = append(o.Flags, f)
		case len(text) > 1 && text[0] == '-' && (!args[i].Partial || text[1] != '$'):
			i += o.short(args, i, withValue)
		default:
			o.Operands = append(o.Operands, args[i])
		}
	}
	return o
}

// short reads a cluster such as -rf or -ofile and returns how many more arguments it read.
func (o *Options) short(args []trace.Value, i int, withValue string) int {
	text := args[i].Text
	// Programs such as find, terraform and openssl write long flags with one hyphen.
	if more, ok := o.longWord(args, i, withValue); ok {
		return more
	}
	for j := 1; j < len(text); j++ {
		f := flag{Name: text[j : j+1], Value: args[i]}
		if TakesValue(withValue, f.Name) {
			f.Has = true
			if j+1 < len(text) {
				f.Value.Text = strings.TrimPrefix(text[j+1:], "=")
				o.Flags = append(o.Flags, f)
				return 0
			}
			if i+1 < len(args) {
				f.Value = args[i+1]
				o.Flags = append(o.Flags, f)
				return 1
			}
		}
		o.Flags = append(o.Flags, f)
	}
	o.Flags = append(o.Flags, flag{Name: text, Value: args[i]})
	return 0
}

// longWord reads a long flag with one hyphen, such as -out f or -out=f. The flag must be in withValue, with its hyphen.
// It returns how many more arguments it read, and whether there was such a flag.
func (o *Options) longWord(args []trace.Value, i int, withValue string) (int, bool) {
	name, attached, has := strings.Cut(args[i].Text[1:], "=")
	if len(name) < 2 || !TakesValue(withValue, "-"+name) {
		return 0, false
	}
	f := flag{Name: name, Value: args[i], Has: has}
	f.Value.Text = attached
	next := !has && i+1 < len(args)
	if next {
		f.Value, f.Has = args[i+1], true
	}
	o.Flags = append(o.Flags, f)
	return words.Btoi(next), true
}

// ParseWords sorts the arguments of a program that has no clusters such as -rf and treats -json and --json as the same
// flag.
func ParseWords(args []trace.Value, withValue string) Options {
	var o Options
	for i := 0; i < len(args); i++ {
		text := args[i].Text
		if text == "--" {
			o.Operands = append(o.Operands, args[i+1:]...)
			break
		}
		if len(text) < 2 || text[0] != '-' {
			o.Operands = append(o.Operands, args[i])
			continue
		}
		name, attached, has := strings.Cut(strings.TrimPrefix(text[1:], "-"), "=")
		f := flag{Name: name, Value: args[i], Has: has}
		f.Value.Text = attached
		if !has && TakesValue(withValue, name) && i+1 < len(args) {
			i++
			f.Value, f.Has = args[i], true
		}
		o.Flags = append(o.Flags, f)
	}
	return o
}

// TakesValue reports whether a name is in a list of flags that are separated by blanks.
func TakesValue(list, name string) bool {
	for rest := list; rest != ""; {
		var word string
		word, rest, _ = strings.Cut(rest, " ")
		if word == name {
			return true
		}
	}
	return false
}

// Has reports whether one of the flags, separated by blanks, is given. A name with a hyphen (-delete) matches a long
// flag that is written with one hyphen.
func (o *Options) Has(names string) bool {
	_, ok := o.Flag(names)
	return ok
}

// Flag returns the first of the flags, separated by blanks, that is given.
func (o *Options) Flag(names string) (flag, bool) {
	for _, f := range o.Flags {
		if words.Among(f.Name, names) == f.Name {
			return f, true
		}
	}
	return flag{}, false
}

// Values returns the values of all flags with these names.
func (o *Options) Values(names string) []trace.Value {
	var out []trace.Value
	for _, f := range o.Flags {
		if f.Has && words.Among(f.Name, names) == f.Name {
			out = append(out, f.Value)
		}
	}
	return out
}

// Word returns the text of the i-th operand, or "".
func (o *Options) Word(i int) string {
	if i < len(o.Operands) {
		return o.Operands[i].Text
	}
	return ""
}

// FirstOf returns the first argument that is one of the words, or "". A word with = or * at its end also matches
// longer arguments.
func FirstOf(args []trace.Value, words ...string) string {
	for _, v := range args {
		for _, w := range words {
			prefix, isPrefix := strings.CutSuffix(w, "*")
			if v.Text == w || (isPrefix || strings.HasSuffix(w, "=")) && strings.HasPrefix(v.Text, prefix) {
				return v.Text
			}
		}
	}
	return ""
}

// AsksForHelp reports whether a command only prints its help or version.
func AsksForHelp(c *trace.Command) bool {
	if len(c.Argv) != 2 {
		return false
	}
	arg := c.Argv[1].Text
	return arg == "--help" || arg == "-h" || arg == "--version" || arg == "help"
}

// SplitWords splits a text at white space and removes quotes. Each word has the quality of the given value.
func SplitWords(text string, at trace.Value) []trace.Value {
	var out []trace.Value
	for _, w := range strings.Fields(text) {
		v := at
		v.Text = strings.Trim(w, `'"`)
		out = append(out, v)
	}
	return out
}
