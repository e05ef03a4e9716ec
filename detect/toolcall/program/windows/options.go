package windows

import (
	"strings"

	"guardrails/detect/toolcall/trace"
	"guardrails/detect/toolcall/words"
)

// The type "options" holds the arguments of a command of cmd.exe or of a program such as robocopy or icacls.
//
// The parser in the package "flags" cannot read these arguments, because their grammar is different. An option begins
// with a slash, and its case is ignored. Options may be joined (/s/q). A value follows a colon (/a:h). Options may come
// after operands.
type options struct {
	given    []string      // the options as written
	operands []trace.Value // with slashes instead of backslashes
}

// parseOptions splits arguments into options and operands.
func parseOptions(args []trace.Value) options {
	var o options
	for _, v := range args {
		if strings.HasPrefix(v.Text, "/") {
			o.given = append(o.given, v.Text)
		} else {
			o.operands = append(o.operands, windowsPath(v))
		}
	}
	return o
}

// hasOption reports whether the call has one of the options in the parameter "names". Spaces separate the names.
func (o *options) hasOption(names string) bool {
	for _, text := range o.given {
		for _, part := range strings.Split(text[1:], "/") {
			name, _, _ := strings.Cut(strings.ToLower(part), ":")
			if words.Among(name, names) == name {
				return true
			}
		}
	}
	return false
}

// skipOptions removes the options before the first operand from the arguments, and returns the rest.
func skipOptions(args []trace.Value) []trace.Value {
	for len(args) > 0 && strings.HasPrefix(args[0].Text, "/") {
		args = args[1:]
	}
	return args
}

// valueOf returns the argument after an option.
func valueOf(args []trace.Value, option string) (trace.Value, bool) {
	for i, v := range args {
		if strings.EqualFold(v.Text, option) && i+1 < len(args) {
			return args[i+1], true
		}
	}
	return trace.Value{}, false
}

// commandOf returns the text that cmd.exe runs: everything after /c, /k or /r. Other options may come directly before
// this option, as in /d/c. The text may come directly after the option, as in /cdel.
func commandOf(args []trace.Value) (trace.Value, bool) {
	for i, v := range args {
		for at := 0; strings.HasPrefix(v.Text[at:], "/"); {
			if at+1 < len(v.Text) && strings.IndexByte("ckr", v.Text[at+1]|0x20) >= 0 {
				text := trace.Joined(args[i:])
				text.Text = strings.TrimLeft(text.Text[at+2:], " ")
				return text, true
			}
			next := strings.IndexByte(v.Text[at+1:], '/')
			if next < 0 {
				break
			}
			at += 1 + next
		}
	}
	return trace.Value{}, false
}
