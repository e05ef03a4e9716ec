package code

// The arguments of an interpreter's command line.

import (
	"strings"

	"guardrails/detect/toolcall/flags"
	"guardrails/detect/toolcall/trace"
	"guardrails/detect/toolcall/words"
)

// commandLine is an interpreter's command line. It contains code, a script with its arguments, or neither.
type commandLine struct {
	code     []trace.Value
	operands []trace.Value
	flags    []string // the options before the script
}

// has reports whether one of the named options, or one of the letters in a cluster, comes before the script.
func (p *commandLine) has(letters string, names ...string) bool {
	for _, f := range p.flags {
		for _, n := range names {
			if f == n {
				return true
			}
		}
		if len(f) > 1 && f[0] == '-' && f[1] != '-' && strings.ContainsAny(f[1:min(len(f), 6)], letters) {
			return true
		}
	}
	return false
}

// parseCommandLine parses an interpreter's arguments. The list codes contains the options that take code, and values
// contains the other options that take a value. Arguments after the script belong to the script.
func parseCommandLine(args []trace.Value, codes, values string) commandLine {
	var p commandLine
	for i := 0; i < len(args); i++ {
		arg := args[i].Text
		if arg == "--" || arg == "-" || !strings.HasPrefix(arg, "-") || args[i].Partial && strings.HasPrefix(arg, "-$") {
			if arg == "--" {
				i++
			}
			p.operands = args[i:]
			break
		}
		p.flags = append(p.flags, arg)
		i += p.flag(args, i, codes, values)
	}
	return p
}

// flag reads one option and returns how many more arguments it takes.
func (p *commandLine) flag(args []trace.Value, i int, codes, values string) int {
	arg := args[i].Text
	if name, attached, ok := strings.Cut(strings.TrimLeft(arg, "-"), "="); ok && flags.TakesValue(codes, name) {
		v := args[i]
		v.Text = attached
		p.code = append(p.code, v)
		return 0
	}
	name := strings.TrimLeft(arg, "-")
	takesCode := flags.TakesValue(codes, name) || flags.TakesValue(codes, "-"+name)
	if strings.HasPrefix(arg, "--") || len(name) > 1 && takesCode {
		if takesCode {
			return p.take(args, i+1)
		}
		return words.Btoi(flags.TakesValue(values, name))
	}
	for j := 1; j < len(arg); j++ {
		letter := arg[j : j+1]
		switch {
		case flags.TakesValue(codes, letter) && j+1 < len(arg):
			v := args[i]
			v.Text = arg[j+1:]
			p.code = append(p.code, v)
			return 0
		case flags.TakesValue(codes, letter):
			return p.take(args, i+1)
		case flags.TakesValue(values, letter):
			return words.Btoi(j+1 == len(arg))
		case strings.ContainsAny(letter, "0123456789.iMmF"):
			// The rest of the cluster is the value of the option: -i.bak, -MFile::Path, -F:. After -i or -0777 the
			// cluster continues.
			if letter == "M" || letter == "m" || letter == "F" || j+1 < len(arg) && letter == "i" && arg[j+1] == '.' {
				return 0
			}
		}
	}
	return 0
}

// take adds the argument with the index i to the code and returns 1.
func (p *commandLine) take(args []trace.Value, i int) int {
	if i < len(args) {
		p.code = append(p.code, args[i])
	}
	return 1
}
