package program

import (
	"strings"

	"guardrails/detect/effect"
	"guardrails/detect/toolcall/trace"
	"guardrails/detect/toolcall/words"
)

// FollowRows adds the files that a call changes and the commands that it runs, according to the rows of its program in
// the table "writers". The result "complete" is true if a row says that the program changes no other files. The
// result "ran" is true if a row says that the call runs a command.
func FollowRows(t *trace.Trace, c *trace.Command) (complete, ran bool) {
	name := c.Name
	rows := rowsFor(name)
	for at := 0; name != ""; at++ {
		next := strings.Index(rows[at:], name)
		if next < 0 {
			break
		}
		at += next
		start := strings.LastIndexByte(rows[:at], '\n') + 1
		names, rest, _ := strings.Cut(rows[start:], "\t")
		if start+len(names) < at || words.Among(name, names) != name {
			continue
		}
		at = start + len(names)
		rule, _, _ := strings.Cut(rest, "\n")
		if other, ok := strings.CutPrefix(rule, "&"); ok {
			name, rows, at = other, rowsFor(other), -1
			continue
		}
		complete = complete || rule[0] == '='
		if mayFollow(rule, c.Args()) {
			w := writer{t: t, c: c, args: c.Args()}
			w.follow(rule)
			ran = ran || w.ran
		}
	}
	return complete, ran
}

// rowsFor returns the section of the table "writers" that contains the rows about a program.
func rowsFor(name string) string {
	switch {
	case name == "":
	case name[0] >= 'a' && name[0] <= 'z':
		return writers[name[0]-'a'+1]
	case name[0] <= '9':
		return writers[0]
	}
	return ""
}

// mayFollow reports whether the arguments have the subcommand that a row names. It returns true if the row names no
// subcommand.
func mayFollow(rule string, args []trace.Value) bool {
	_, order, ok := strings.Cut(rule, "@")
	if !ok {
		return true
	}
	end := strings.IndexByte(order, ' ')
	for i := range args {
		if end > 0 && IsOneOf(args[i].Text, order[:end]) {
			return true
		}
	}
	return false
}

// The type "writer" applies one row of the table "writers" to one call.
type writer struct {
	t    *trace.Trace
	c    *trace.Command
	args []trace.Value
	// The field "values" lists the flags that take a value.
	values string
	// These fields say what the call does with its operands. The field "deletes" is set if the operands are deleted. The
	// field "empties" is set if the operands lose their content. The field "permissions" is set if only their permissions
	// change. The field "tree" is set if the permissions of everything in the operands change too.
	deletes, empties, permissions, tree bool
	operands                            []trace.Value
	// The field "places" holds the index of each operand in the field "args". The field "at" is the index of the first
	// argument after the subcommand, or 0 if the row has no subcommand.
	places []int
	at     int
	parsed bool
	// The field "ran" is set if the call runs another command. The field "far" is set if that command runs on
	// another machine or in a container.
	ran, far bool
}

// follow() applies the words of a row one after the other. It stops at the first condition that is not true.
func (w *writer) follow(rule string) {
	for rest := rule; rest != ""; {
		var word string
		word, rest = next(rest)
		switch word[0] {
		case '-', '*':
			w.outputFlag(word)
		case '%':
			w.values = strings.ReplaceAll(word[1:], "|", " ")
		case '@':
			operands := w.list(rest)
			if len(operands) == 0 || !IsOneOf(operands[0].Text, word[1:]) {
				return
			}
			w.at = w.places[0] + 1
			w.operands, w.places = operands[1:], w.places[1:]
		case '?':
			if !w.given(word[1:]) {
				return
			}
		case '!':
			if w.given(word[1:]) {
				return
			}
		case '^':
			w.deletes, w.empties = true, word == "^^"
		case '~':
			w.permissions, w.tree = true, w.given("-R|--recursive")
		case '#':
			w.farAway()
		case ':':
			w.t.Tunnel("")
		case '$':
			w.texts(word[1:], rest)
		case '>':
			w.command(word[1:])
		case '.':
			w.change(trace.Value{Text: "."})
		case '=':
		default:
			w.written(word, w.list(rest))
		}
	}
}

// given() reports whether the call has one of several flags or words.
func (w *writer) given(names string) bool {
	if !w.t.Spend(len(w.args) * (2 + len(names)/4)) {
		return false
	}
	for _, name := range strings.Split(names, "|") {
		for _, v := range w.args {
			text, _, _ := strings.Cut(v.Text, "=")
			cluster := len(name) == 2 && name[0] == '-' && len(text) < 6 && len(text) > 1 && text[0] == '-' && text[1] != '-'
			if text == name || name == "-*=" && text != v.Text && text != "" && text[0] == '-' || cluster && strings.IndexByte(text, name[1]) > 0 {
				return true
			}
		}
	}
	return false
}

// list() returns the operands: the arguments that are neither flags nor values of flags.
func (w *writer) list(rule string) []trace.Value {
	if w.parsed {
		return w.operands
	}
	w.parsed = true
	values := w.values + " " + strings.ReplaceAll(rule, "|", " ")
	for i := 0; i < len(w.args); i++ {
		text := w.args[i].Text
		switch {
		case text == "--":
		case len(text) > 1 && text[0] == '-':
			i += words.Btoi(words.Among(text, values) == text)
		default:
			w.operands, w.places = append(w.operands, w.args[i]), append(w.places, i)
		}
	}
	return w.operands
}

// written() adds the effects on the operands that a word of a row selects.
func (w *writer) written(word string, operands []trace.Value) {
	for _, v := range choose(word, operands) {
		if word != "paths" || strings.ContainsAny(v.Text, "./") {
			w.change(v)
		}
	}
}

// choose() returns the operands that a word of a row selects. The word "last" selects the last operand, "2" the third
// operand, "1+" all operands but the first, and "paths" all operands.
func choose(word string, operands []trace.Value) []trace.Value {
	switch word {
	case "last":
		return operands[max(0, len(operands)-1):]
	case "paths":
		return operands
	}
	n := min(int(word[0]-'0'), len(operands))
	if strings.HasSuffix(word, "+") {
		return operands[n:]
	}
	return operands[n:min(n+1, len(operands))]
}

// outputFlag adds the files that a flag names as an output. The flag is written as in the table "writers":
//
//	-o      the value is the next argument, or follows an equals sign
//	-o+     the value may also be attached: -ofile
//	-o~     the value is a kind and a file: json=file
//	--out=  the value is in the same argument. A colon works like the equals sign
//	*_out=  the value follows this text anywhere in an argument
func (w *writer) outputFlag(flag string) {
	flag, attached := strings.CutSuffix(flag, "+")
	flag, kind := strings.CutSuffix(flag, "~")
	joined := strings.HasSuffix(flag, "=") || strings.HasSuffix(flag, ":")
	for i, v := range w.args {
		text, found := v.Text, false
		rest, ok := strings.CutPrefix(text, flag)
		if flag[0] == '*' {
			_, rest, ok = strings.Cut(text, flag[1:])
			rest, _, _ = strings.Cut(rest, ",")
		}
		switch {
		case !ok:
		case rest == "" && !joined && i+1 < len(w.args):
			v, found = w.args[i+1], true
		case rest != "" && (joined || attached || rest[0] == '=' || flag[0] == '*'):
			v.Text, found = strings.TrimPrefix(rest, "="), true
		}
		if !found {
			continue
		}
		if i := strings.IndexAny(v.Text, "=:"); kind && i > 0 {
			v.Text = v.Text[i+1:]
		}
		w.change(v)
	}
}

// change() adds the effect on one file or folder. It does not add a write that the call already has.
func (w *writer) change(v trace.Value) {
	if v.Text == "" || v.Text[0] == '-' || strings.Contains(v.Text, "://") {
		return
	}
	if w.deletes {
		w.t.Remove(v, w.c.Scope, w.c.Span, trace.Removal{Tree: true, Moved: !w.empties, How: "deletes"})
		return
	}
	if w.permissions {
		if p := w.t.Place(v, w.c.Scope); p.Zone == trace.Project {
			e := p.Effect(effect.Write, w.c.Span)
			e.Inert, e.Tree = true, w.tree
			w.t.Emit(e)
		}
		return
	}
	Output(w.t, w.c, v)
}

// Output adds the effect of writing the file or folder that a call names as its output. A write outside the project
// does not get the event OutsideWrite.
func Output(t *trace.Trace, c *trace.Command, v trace.Value) {
	p := t.Place(v, c.Scope)
	t.Spend(max(0, len(t.Effects)-c.Run))
	for i := min(c.Run, len(t.Effects)); i < len(t.Effects); i++ {
		if e := &t.Effects[i]; e.Kind == effect.Write && e.Path == p.Name && (len(e.Inside) > 0 || trace.NamesFile(e.Path)) {
			return
		}
	}
	at, name := len(t.Effects), trace.Anything
	if v.Text == "." {
		name = trace.Everything
	}
	t.WriteInto(v, []string{name}, c.Scope, c.Span)
	t.MarkReplaced(c, v)
	if at < len(t.Effects) && p.Zone == trace.Outside {
		t.Effects[at].Drop(effect.OutsideWrite)
	}
}
