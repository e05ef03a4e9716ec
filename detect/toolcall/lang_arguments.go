package toolcall

import "strings"

// program is an interpreter's command line: code, or a script with its arguments, or neither.
type program struct {
	code     []value
	operands []value
	flags    []string // what was given before the script
}

// has reports whether a flag stands before the script, alone or in a cluster of short ones.
func (p *program) has(letters string, names ...string) bool {
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

// readProgram reads an interpreter's arguments. Codes are the flags with code, values the other flags with a value;
// what stands behind the script is the script's own.
func readProgram(args []value, codes, values string) program {
	var p program
	for i := 0; i < len(args); i++ {
		t := args[i].text
		if t == "--" || t == "-" || !strings.HasPrefix(t, "-") || args[i].partial && strings.HasPrefix(t, "-$") {
			if t == "--" {
				i++
			}
			p.operands = args[i:]
			break
		}
		p.flags = append(p.flags, t)
		i += p.flag(args, i, codes, values)
	}
	return p
}

// flag reads one flag and returns how many more arguments it took.
func (p *program) flag(args []value, i int, codes, values string) int {
	t := args[i].text
	if name, attached, ok := strings.Cut(strings.TrimLeft(t, "-"), "="); ok && takesValue(codes, name) {
		v := args[i]
		v.text = attached
		p.code = append(p.code, v)
		return 0
	}
	name := strings.TrimLeft(t, "-")
	if strings.HasPrefix(t, "--") || len(name) > 1 && (takesValue(codes, "-"+name) || takesValue(codes, name)) {
		if takesValue(codes, name) || takesValue(codes, "-"+name) {
			return p.take(args, i+1)
		}
		return btoi(takesValue(values, name))
	}
	for j := 1; j < len(t); j++ {
		letter := t[j : j+1]
		switch {
		case takesValue(codes, letter) && j+1 < len(t):
			v := args[i]
			v.text = t[j+1:]
			p.code = append(p.code, v)
			return 0
		case takesValue(codes, letter):
			return p.take(args, i+1)
		case takesValue(values, letter):
			return btoi(j+1 == len(t))
		case strings.ContainsAny(letter, "0123456789.iMmF"):
			// The rest of the cluster is the flag's value: -i.bak, -0777, -MFile::Path, -F:. A plain -i goes on.
			if letter == "M" || letter == "m" || letter == "F" || j+1 < len(t) && letter == "i" && t[j+1] == '.' {
				return 0
			}
		}
	}
	return 0
}

func (p *program) take(args []value, i int) int {
	if i < len(args) {
		p.code = append(p.code, args[i])
	}
	return 1
}
