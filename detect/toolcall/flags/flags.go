// Package flags sorts the arguments of a command into flags and operands, as getopt does. A spec (spec.go) describes
// the flags of a program.
//
// Some command lines have a different grammar. Each of these grammars has its own parser, whose comment explains the
// differences:
//
//	shell/options.go                     shells and the builtin "set"
//	program/find/expression.go           find
//	program/interpreter/commandline.go   interpreters
//	program/windows/options.go           cmd.exe and programs of Windows
//	powershell/parameter.go              PowerShell
//
// The handlers of dd, kill, chmod, echo and bwrap read the arguments themselves, because these programs have no flags,
// or accept operands that look like flags.
package flags

import (
	"slices"
	"strconv"
	"strings"

	"guardrails/detect/toolcall/trace"
	"guardrails/detect/toolcall/words"
)

// IsOn reports whether a switch with one of these names is on. The last value counts, so the switch is off after
// "--dry-run --dry-run=false".
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

// Order returns the first operands, which are usually the subcommand, as one text. The reasons of events contain this
// text.
func (o *Options) Order() string {
	return trace.Shorten(trace.JoinAll(o.Operands[:min(4, len(o.Operands))]))
}

// ParseLeading parses the flags before the first operand. It returns these flags and the rest of the arguments, which
// begins with the first operand.
func ParseLeading(args []trace.Value, spec string) (Options, []trace.Value) {
	i := leading(args, spec)
	o := Parse(args[:i], spec)
	if i < len(args) && args[i].Text == "--" {
		i++
	}
	return o, args[i:]
}

// SkipLeading removes the flags before the first operand from the arguments, and returns the rest.
func SkipLeading(args []trace.Value, spec string) []trace.Value {
	i := leading(args, spec)
	if i < len(args) && args[i].Text == "--" {
		i++
	}
	return args[i:]
}

// leading() returns the number of arguments before the first operand or "--". These arguments are flags and their
// values.
func leading(args []trace.Value, spec string) int {
	i := 0
	for i < len(args) {
		text := args[i].Text
		if len(text) < 2 || text[0] != '-' || text == "--" {
			break
		}
		i += 1 + words.Btoi(takesNext(text, spec))
	}
	return min(i, len(args))
}

// takesNext reports whether the value of a flag is the argument after the flag. In a cluster of short flags such as
// -xzf, only the first letter that takes a value counts.
func takesNext(text, spec string) bool {
	if name, isLong := strings.CutPrefix(text, "--"); isLong {
		_, hasValue := longFlag(spec, name)
		return hasValue
	}
	for i := 1; i < len(text); i++ {
		switch {
		case TakesValue(spec, text[i:i+1]):
			return i+1 == len(text)
		case takesAttached(spec, text[i]):
			return false
		}
	}
	return false
}

// AfterDashes returns the arguments after "--", which are often an inner command. It returns false if there is no "--".
func AfterDashes(args []trace.Value) ([]trace.Value, bool) {
	for i, v := range args {
		if v.Text == "--" {
			return args[i+1:], true
		}
	}
	return nil, false
}

// Options holds the arguments of a command, sorted into flags and operands.
type Options struct {
	Flags    []Flag
	Operands []trace.Value
	spec     string
	// The field "answers" is a cache for results of the method Flag. The cache matters only for a long list of
	// flags. Many handlers look for the same flags again for each operand.
	answers []answer
}

// The type "answer" holds a cached result of the method Flag for a list of names. The field "index" is the
// index of the flag, or -1 if there is no such flag. The field "flags" is the number of flags at the time of the
// look-up. The result is valid as long as the command still has this number of flags.
type answer struct {
	names        string
	flags, index int
}

// The method Flag caches its results only if a command has more than manyFlags flags. It keeps at most maxAnswers
// results.
const (
	manyFlags  = 32
	maxAnswers = 8
)

// Flag is a flag with its value.
type Flag struct {
	_ [0]func() // makes the compiler reject == between flags; see trace.Place
	// Name has no hyphens. For a cluster such as -rf, Parse adds one flag for each letter and one flag for the whole
	// cluster. Only the flag for the whole cluster has a hyphen in its Name.
	Name  string
	Value trace.Value
	Has   bool // the flag has a value
	long  bool // the flag is written with two hyphens
}

// Parse sorts the arguments of a command into flags and operands, as getopt does. The spec describes the flags of the
// program.
func Parse(args []trace.Value, spec string) Options {
	o := Options{spec: spec}
	for i := 0; i < len(args); i++ {
		text := args[i].Text
		switch {
		case text == "--":
			o.Operands = append(o.Operands, args[i+1:]...)
			return o
		case strings.HasPrefix(text, "--"):
			name, attached, has := strings.Cut(text[2:], "=")
			f := Flag{Has: has, Value: args[i], long: true}
			f.Value.Text = attached
			var takesNext bool
			f.Name, takesNext = longFlag(spec, name)
			if takesNext && !has && i+1 < len(args) {
				i++
				f.Value, f.Has = args[i], true
			}
			o.Flags = append(o.Flags, f)
		case len(text) > 1 && text[0] == '-' && (!args[i].Partial || text[1] != '$'):
			i += o.short(args, i, spec)
		default:
			o.Operands = append(o.Operands, args[i])
		}
	}
	return o
}

// short() parses a cluster such as -rf or -ofile. It returns the number of arguments after the cluster that are values
// of its flags.
func (o *Options) short(args []trace.Value, i int, spec string) int {
	text := args[i].Text
	// Programs such as find, terraform and openssl write long flags with one hyphen.
	if more, ok := o.longWord(args, i, spec); ok {
		return more
	}
	o.Flags = slices.Grow(o.Flags, min(len(text), 4))
	for j := 1; j < len(text); j++ {
		f := Flag{Name: text[j : j+1], Value: args[i]}
		if takesAttached(spec, text[j]) {
			f.Value.Text, f.Has = text[j+1:], j+1 < len(text)
			o.Flags = append(o.Flags, f)
			return 0
		}
		if TakesValue(spec, f.Name) {
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
	o.Flags = append(o.Flags, Flag{Name: text, Value: args[i]})
	return 0
}

// longWord parses a long flag with one hyphen, such as "-out f" or "-out=f". It returns the number of arguments after
// the flag that are values of the flag. It returns false if the spec does not list the flag together with its hyphen.
func (o *Options) longWord(args []trace.Value, i int, spec string) (int, bool) {
	name, attached, has := strings.Cut(args[i].Text[1:], "=")
	if len(name) < 2 || !TakesValue(spec, "-"+name) {
		return 0, false
	}
	f := Flag{Name: name, Value: args[i], Has: has}
	f.Value.Text = attached
	next := !has && i+1 < len(args)
	if next {
		f.Value, f.Has = args[i+1], true
	}
	o.Flags = append(o.Flags, f)
	return words.Btoi(next), true
}

// ParseWords sorts the arguments of a program that has no clusters such as -rf. It treats -json and --json as the same
// flag.
func ParseWords(args []trace.Value, spec string) Options {
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
		f := Flag{Name: name, Value: args[i], Has: has}
		f.Value.Text = attached
		if !has && TakesValue(spec, name) && i+1 < len(args) {
			i++
			f.Value, f.Has = args[i], true
		}
		o.Flags = append(o.Flags, f)
	}
	return o
}

// Has reports whether the command has one of the flags. Spaces separate the names. A name with a hyphen, such as
// -delete, stands for a long flag that is written with one hyphen.
func (o *Options) Has(names string) bool {
	_, ok := o.Flag(names)
	return ok
}

// HasWhole reports whether the command has one of the flags, written with its whole name. Use HasWhole for flags that
// make a command harmless. The method Has also accepts abbreviations such as --d, which may mean --dry-run in one
// program and --delete in another.
func (o *Options) HasWhole(names string) bool {
	for i := range o.Flags {
		if o.Flags[i].isOneOf(names) {
			return true
		}
	}
	return false
}

// Flag returns the first flag of the command that has one of these names. Spaces separate the names.
func (o *Options) Flag(names string) (Flag, bool) {
	if i := o.indexOf(names); i >= 0 {
		return o.Flags[i], true
	}
	return Flag{}, false
}

// LastText returns the value of the last flag that has one of the names. A later flag often overrides an earlier one.
func (o *Options) LastText(names string) string {
	values := o.Values(names)
	if len(values) == 0 {
		return ""
	}
	return values[len(values)-1].Text
}

func (o *Options) indexOf(names string) int {
	for _, a := range o.answers {
		if a.flags == len(o.Flags) && a.names == names {
			return a.index
		}
	}
	i := slices.IndexFunc(o.Flags, func(f Flag) bool { return o.matches(&f, names) })
	if len(o.Flags) > manyFlags && len(o.answers) < maxAnswers {
		o.answers = append(o.answers, answer{names: names, flags: len(o.Flags), index: i})
	}
	return i
}

// Values returns the values of all flags that have one of these names.
func (o *Options) Values(names string) []trace.Value {
	var out []trace.Value
	for i := range o.Flags {
		if f := &o.Flags[i]; f.Has && o.matches(f, names) {
			out = append(out, f.Value)
		}
	}
	return out
}

// matches() reports whether a flag has one of the names. If the program accepts abbreviations, the flag may also be an
// abbreviation of a name.
func (o *Options) matches(f *Flag, names string) bool {
	return f.isOneOf(names) ||
		f.long && abbreviates(o.spec) && begins(f.Name, names) != "" && !isWhole(o.spec, f.Name)
}

func (f *Flag) isOneOf(names string) bool { return words.Among(f.Name, names) == f.Name }

// Word returns the text of the i-th operand, or "" if there is none.
func (o *Options) Word(i int) string {
	if i < len(o.Operands) {
		return o.Operands[i].Text
	}
	return ""
}

// FirstOf returns the first argument that is in the list. If there is none, it returns "". Spaces separate the words of
// the list. A word that ends with = or * also matches longer arguments. If the list begins with Abbreviates,
// abbreviations of the long flags in the list match too.
func FirstOf(args []trace.Value, list string) string {
	list, abbreviated := strings.CutPrefix(list, Abbreviates)
	for _, v := range args {
		for rest := list; rest != ""; {
			var word string
			word, rest, _ = strings.Cut(rest, " ")
			if word == v.Text || opens(word, v.Text) || abbreviated && opensFlag(v.Text, word) {
				return v.Text
			}
		}
	}
	return ""
}

// opens() reports whether a word of a list ends with = or *, and the text begins with this word. The * itself is not
// compared.
func opens(word, text string) bool {
	prefix, isPrefix := strings.CutSuffix(word, "*")
	return (isPrefix || strings.HasSuffix(word, "=")) && strings.HasPrefix(text, prefix)
}

// opensFlag reports whether an argument is an abbreviation of a long flag. The argument may include the
// flag's value.
func opensFlag(arg, flag string) bool {
	name, _, _ := strings.Cut(arg, "=")
	return len(name) > 2 && name[1] == '-' && strings.HasPrefix(flag, name)
}

// AsksForHelp reports whether a command only prints its help or its version.
func AsksForHelp(c *trace.Command) bool {
	if len(c.Argv) != 2 {
		return false
	}
	arg := c.Argv[1].Text
	return arg == "--help" || arg == "-h" || arg == "--version" || arg == "help"
}

// SplitWords splits a text at white space and removes the quotes. Each word gets the Quality of the parameter "at".
func SplitWords(text string, at trace.Value) []trace.Value {
	var out []trace.Value
	for _, w := range strings.Fields(text) {
		v := at
		v.Text = strings.Trim(w, `'"`)
		out = append(out, v)
	}
	return out
}
