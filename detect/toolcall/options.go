package toolcall

import "strings"

// options are a command's arguments sorted into flags and operands.
type options struct {
	flags    []flag
	operands []value
}

type flag struct {
	name  string // without hyphens
	value value
	has   bool // a value is attached or follows
}

// parseOptions sorts arguments the way getopt does. withValue lists the flags that take a value, separated by spaces:
// single letters and long names alike.
func parseOptions(args []value, withValue string) options {
	var o options
	for i := 0; i < len(args); i++ {
		text := args[i].text
		switch {
		case text == "--":
			o.operands = append(o.operands, args[i+1:]...)
			return o
		case strings.HasPrefix(text, "--"):
			name, attached, has := strings.Cut(text[2:], "=")
			f := flag{name: name, has: has, value: args[i]}
			f.value.text = attached
			if !has && takesValue(withValue, name) && i+1 < len(args) {
				i++
				f.value, f.has = args[i], true
			}
			o.flags = append(o.flags, f)
		case len(text) > 1 && text[0] == '-' && (!args[i].partial || text[1] != '$'):
			i += o.short(args, i, withValue)
		default:
			o.operands = append(o.operands, args[i])
		}
	}
	return o
}

// short reads a cluster such as -rf or -ofile and returns how many arguments more it took.
func (o *options) short(args []value, i int, withValue string) int {
	text := args[i].text
	// Programs such as find, terraform and openssl write long options with one hyphen.
	if taken, ok := o.longWord(args, i, withValue); ok {
		return taken
	}
	for j := 1; j < len(text); j++ {
		f := flag{name: text[j : j+1], value: args[i]}
		if takesValue(withValue, f.name) {
			f.has = true
			if j+1 < len(text) {
				f.value.text = strings.TrimPrefix(text[j+1:], "=")
				o.flags = append(o.flags, f)
				return 0
			}
			if i+1 < len(args) {
				f.value = args[i+1]
				o.flags = append(o.flags, f)
				return 1
			}
		}
		o.flags = append(o.flags, f)
	}
	o.flags = append(o.flags, flag{name: text, value: args[i]})
	return 0
}

// longWord reads a single-hyphen option that is listed with its hyphen: -out f, -out=f.
func (o *options) longWord(args []value, i int, withValue string) (int, bool) {
	name, attached, has := strings.Cut(args[i].text[1:], "=")
	if len(name) < 2 || !takesValue(withValue, "-"+name) {
		return 0, false
	}
	f := flag{name: name, value: args[i], has: has}
	f.value.text = attached
	next := !has && i+1 < len(args)
	if next {
		f.value, f.has = args[i+1], true
	}
	o.flags = append(o.flags, f)
	return btoi(next), true
}

// parseWords sorts the arguments of a program that has no clusters of letters: -json and --json are the same flag. A
// flag that is not listed goes by its whole text, too.
func parseWords(args []value, withValue string) options {
	var o options
	for i := 0; i < len(args); i++ {
		text := args[i].text
		if text == "--" {
			o.operands = append(o.operands, args[i+1:]...)
			break
		}
		if len(text) < 2 || text[0] != '-' {
			o.operands = append(o.operands, args[i])
			continue
		}
		name, attached, has := strings.Cut(strings.TrimPrefix(text[1:], "-"), "=")
		f := flag{name: name, value: args[i], has: has}
		f.value.text = attached
		if !has && takesValue(withValue, name) && i+1 < len(args) {
			i++
			f.value, f.has = args[i], true
		}
		o.flags = append(o.flags, f)
	}
	return o
}

func takesValue(list, name string) bool {
	for rest := list; rest != ""; {
		var word string
		word, rest, _ = strings.Cut(rest, " ")
		if word == name {
			return true
		}
	}
	return false
}

// has reports whether one of the flags, with blanks between them, is given; a name with a hyphen (-delete) means the argument as a whole.
func (o *options) has(names string) bool {
	_, ok := o.flag(names)
	return ok
}

func (o *options) flag(names string) (flag, bool) {
	for _, f := range o.flags {
		if among(f.name, names) == f.name {
			return f, true
		}
	}
	return flag{}, false
}

// values are the values of every flag of these names.
func (o *options) values(names string) []value {
	var out []value
	for _, f := range o.flags {
		if f.has && among(f.name, names) == f.name {
			out = append(out, f.value)
		}
	}
	return out
}

// word is the i-th operand's text, or nothing.
func (o *options) word(i int) string {
	if i < len(o.operands) {
		return o.operands[i].text
	}
	return ""
}
