package powershell

import (
	"strings"

	"guardrails/detect/effect"
	"guardrails/detect/toolcall/trace"
	"guardrails/detect/toolcall/words"
)

// namePrefix is a prefix for the names of PowerShell's variables and aliases in the scope. The prefix keeps them apart
// from the variables of other shells.
const namePrefix = "powershell:"

// profileName is the name of the start file of PowerShell.
const profileName = "Microsoft.PowerShell_profile.ps1"

func (p *interpreter) set(name string, data objects) {
	p.trace.Spend(len(data.values) * stepsOfObject)
	values := append([]trace.Value{}, data.values...)
	p.sc.Set(namePrefix+name, trace.Variable{Values: values, Array: len(values) != 1})
}

// variable() returns the content of a variable. It also knows some of the variables that PowerShell itself sets, such
// as $HOME.
func (p *interpreter) variable(name string) objects {
	if v, ok := p.sc.Vars.Find(namePrefix + name); ok {
		return objects{values: v.Values}
	}
	if name == "input" || name == "_" || name == "psitem" {
		return p.in
	}
	var text string
	home := p.trace.Env.Home
	switch name {
	case "true", "false":
		text = "$" + name
	case "null":
		return objects{}
	case "home", "env:userprofile", "env:home":
		text = home
	case "pwd":
		if p.sc.CwdUnknown {
			return unknownFrom(0)
		}
		text = p.sc.Cwd
	case "profile":
		text = home + "/Documents/PowerShell/" + profileName
	case "env:temp", "env:tmp", "env:tmpdir":
		text = "/tmp/temp"
	case "env:systemroot", "env:windir":
		text = "C:/Windows"
	case "env:systemdrive", "env:homedrive":
		text = "C:"
	case "env:programfiles", "env:programw6432":
		text = "C:/Program Files"
	case "env:programdata", "env:allusersprofile":
		text = "C:/ProgramData"
	case "env:appdata":
		text = home + "/AppData/Roaming"
	case "env:localappdata":
		text = home + "/AppData/Local"
	case "env:comspec":
		text = "cmd.exe"
	case "pshome":
		text = "C:/Windows/System32/WindowsPowerShell/v1.0"
	default:
		if variable, isSet := strings.CutPrefix(name, "env:"); isSet {
			if value, ok := p.trace.Inherited(strings.ToUpper(variable)); ok {
				return textObject(value)
			}
		}
		return objects{values: []trace.Value{{Text: "$" + name, Quality: trace.Quality{Partial: true}}}}
	}
	return textObject(text)
}

// assignment() reads an assignment such as $name = …. A type may come before the name, and a member may follow the
// name. The method returns false if there is no assignment.
func (r *reader) assignment() bool {
	start := r.i
	if r.peek(0) == '[' {
		r.bracketed()
		r.skipSpaces()
	}
	var names []string
	for r.peek(0) == '$' && (isAlpha(r.peek(1)) || r.peek(1) == '_' || r.peek(1) == '{') {
		r.i++
		names = append(names, r.variableName())
		r.skipSpaces()
		if r.peek(0) != ',' {
			break
		}
		r.i++
		r.skipSpaces()
	}
	whole := len(names) == 1 // whether there is one variable without a member
	for len(names) > 0 && r.isMember() && whole || !whole && len(names) == 1 && r.isMember() {
		whole = false
		if r.peek(0) == '[' {
			r.bracketed()
		} else {
			r.i++
			r.name("")
		}
		r.skipSpaces()
	}
	compound := r.peek(0) == '+' && r.peek(1) == '='
	if len(names) == 0 || !compound && (r.peek(0) != '=' || r.peek(1) == '=') {
		r.i = start
		return false
	}
	r.i += 1 + words.Btoi(compound)
	r.assign(start, names, whole, compound)
	return true
}

// assign() reads the statement after the equals sign and sets the variables to the output of this statement.
func (r *reader) assign(start int, names []string, whole, compound bool) {
	p := r.p
	r.skipLines()
	tableAt := r.i
	data := r.statement()
	if strings.HasPrefix(r.s[min(tableAt, len(r.s)):], "@{") {
		inner := &reader{p: p, s: r.s, i: tableAt + 1, offset: r.offset}
		p.state.tables[names[0]] = inner.bracketed()
	}
	if compound {
		before := argument{objects: p.variable(names[0])}
		data = sum(before, argument{objects: data}).objects
	}
	if !whole && len(names) == 1 {
		// The statement changes a member of the variable. After this, the content of the variable is not known.
		if old, ok := p.sc.Vars.Find(namePrefix + names[0]); ok {
			p.set(names[0], unknownFrom(objects{values: old.Values}.taint()|data.taint()))
		}
		return
	}
	for i, name := range names {
		item := data
		if len(names) > 1 && i < len(data.values) {
			item = objects{values: data.values[i : i+1]}
		}
		p.set(name, item)
		if env, ok := strings.CutPrefix(name, "env:"); ok {
			p.noteVariable(env, item.single(" "), r.span(start))
		}
	}
}

// noteVariable adds the change of an environment variable that the guard reads, or that makes programs load code.
func (p *interpreter) noteVariable(name string, v trace.Value, span effect.Span) {
	name = strings.ToUpper(name)
	if trace.IsGuardVariable(name) || trace.Preloads(name) {
		p.trace.VariableEffect(name, v, p.sc, span)
	}
}
