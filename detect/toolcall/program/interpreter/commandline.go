package interpreter

// commandline.go parses the command line of an interpreter.

import (
	"strings"

	"guardrails/detect/toolcall/flags"
	"guardrails/detect/toolcall/trace"
	"guardrails/detect/toolcall/words"
)

// commandLine is an interpreter's command line. It contains code, a script with its arguments, or neither.
//
// The parser in the package "flags" cannot read such a command line, because its grammar is different. The first
// operand is the script, and all later arguments belong to the script. Perl and Ruby have clusters such as -0777, -lane
// and -pi.bak. In such a cluster, a letter may have a value (digits or a suffix), and other letters may follow the
// value. In Python, the first option with code ends the options.
type commandLine struct {
	code     []trace.Value
	operands []trace.Value
	flags    []string // all options before the script
	option   string   // the last option with code, without hyphens
	loaded   []trace.Value
}

// hasOption reports whether one of the options before the script has one of the names. It also returns true for a
// cluster with one of the letters.
func (p *commandLine) hasOption(letters string, names ...string) bool {
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

// parseCommandLine parses an interpreter's arguments. The parameter "codes" lists the options that take code. The
// parameter "values" lists the options that take any other value. Arguments after the script belong to the script.
func parseCommandLine(args []trace.Value, codes, values string) commandLine {
	return parseUntil(args, codes, values, len(args))
}

// parsePython parses the arguments of Python. The options -c and -m end the list of options.
func parsePython(args []trace.Value) commandLine { return parseUntil(args, "c m", "W X", 1) }

// parseUntil parses arguments up to the first operand, or until it has found the given number of pieces of code.
func parseUntil(args []trace.Value, codes, values string, pieces int) commandLine {
	var p commandLine
	for i := 0; i < len(args); i++ {
		arg := args[i].Text
		isOperand := arg == "-" || !strings.HasPrefix(arg, "-") || args[i].Partial && strings.HasPrefix(arg, "-$")
		if arg == "--" {
			i++
		}
		if isOperand || arg == "--" || len(p.code) >= pieces {
			p.operands = args[min(i, len(args)):]
			break
		}
		p.flags = append(p.flags, arg)
		i += p.flag(args, i, codes, values)
	}
	return p
}

// flag() parses one option and returns the number of arguments after the option that are values of the option.
func (p *commandLine) flag(args []trace.Value, i int, codes, values string) int {
	arg := args[i].Text
	p.load(args, i)
	if name, attached, ok := strings.Cut(strings.TrimLeft(arg, "-"), "="); ok && flags.TakesValue(codes, name) {
		v := args[i]
		v.Text = attached
		p.add(name, v)
		return 0
	}
	name := strings.TrimLeft(arg, "-")
	takesCode := flags.TakesValue(codes, name) || flags.TakesValue(codes, "-"+name)
	if strings.HasPrefix(arg, "--") || len(name) > 1 && takesCode {
		if takesCode {
			return p.take(name, args, i+1)
		}
		return words.Btoi(flags.TakesValue(values, name))
	}
	for j := 1; j < len(arg); j++ {
		letter := arg[j : j+1]
		switch {
		case flags.TakesValue(codes, letter) && j+1 < len(arg):
			v := args[i]
			v.Text = arg[j+1:]
			p.add(letter, v)
			return 0
		case flags.TakesValue(codes, letter):
			return p.take(letter, args, i+1)
		case flags.TakesValue(values, letter):
			return words.Btoi(j+1 == len(arg))
		case strings.ContainsAny(letter, "0123456789.iMmF"):
			// In clusters such as -MFile::Path, -F: and -i.bak, the rest of the cluster is the value of the option.
			// After a digit, or after -i without a dot, the cluster continues.
			if letter == "M" || letter == "m" || letter == "F" || j+1 < len(arg) && letter == "i" && arg[j+1] == '.' {
				return 0
			}
		}
	}
	return 0
}

// load() adds a file to p.loaded if the argument is an option such as -r or --import, which loads this file.
func (p *commandLine) load(args []trace.Value, i int) {
	arg := args[i].Text
	name, attached, ok := strings.Cut(strings.TrimLeft(arg, "-"), "=")
	switch {
	case name == words.Among(name, "r require import loader experimental-loader preload l load"):
		if !ok && i+1 < len(args) {
			attached = args[i+1].Text
		}
	case strings.HasPrefix(arg, "-r.") || strings.HasPrefix(arg, "-r/"):
		attached = arg[2:]
	default:
		return
	}
	v := args[i]
	v.Text = attached
	p.loaded = append(p.loaded, v)
}

// take() records that the argument at index i is code, and that this code is the value of the option. It returns 1,
// because it has used one argument.
func (p *commandLine) take(option string, args []trace.Value, i int) int {
	if i < len(args) {
		p.add(option, args[i])
	}
	return 1
}

func (p *commandLine) add(option string, v trace.Value) {
	p.code = append(p.code, v)
	p.option = option
}
