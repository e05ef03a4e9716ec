package powershell

import (
	"strings"

	"guardrails/detect/effect"
	"guardrails/detect/toolcall/trace"
	"guardrails/detect/toolcall/words"
)

// powerPrefix keeps PowerShell's variables apart from those of a shell that the same call starts.
const powerPrefix = "powershell:"

func (p *powerShell) set(name string, data powerData) {
	p.sc.Set(powerPrefix+name, trace.Variable{Values: append([]trace.Value{}, data.list...), Array: len(data.list) != 1})
}

// variable is what a variable holds, with the ones that the system sets.
func (p *powerShell) variable(name string) powerData {
	if v, ok := p.sc.Vars[powerPrefix+name]; ok {
		return powerData{list: v.Values}
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
		return powerData{}
	case "home", "env:userprofile", "env:home":
		text = home
	case "pwd":
		if p.sc.CwdUnknown {
			return unknownWith(0)
		}
		text = p.sc.Cwd
	case "profile":
		text = home + "/Documents/PowerShell/Microsoft.PowerShell_profile.ps1"
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
		return powerData{list: []trace.Value{{Text: "$" + name, Quality: trace.Quality{Partial: true}}}}
	}
	return textData(text)
}

// assignment reads $name = …, also with a type before it or a member behind it, and reports whether it was one.
func (r *powerReader) assignment() bool {
	start := r.i
	if r.at(0) == '[' {
		r.bracketed()
		r.spaces()
	}
	var names []string
	for r.at(0) == '$' && (isAlpha(r.at(1)) || r.at(1) == '_' || r.at(1) == '{') {
		r.i++
		names = append(names, r.variableName())
		r.spaces()
		if r.at(0) != ',' {
			break
		}
		r.i++
		r.spaces()
	}
	whole := len(names) == 1
	for len(names) > 0 && r.isMember() && whole || !whole && len(names) == 1 && r.isMember() {
		whole = false
		if r.at(0) == '[' {
			r.bracketed()
		} else {
			r.i++
			r.name("")
		}
		r.spaces()
	}
	compound := r.at(0) == '+' && r.at(1) == '='
	if len(names) == 0 || !compound && (r.at(0) != '=' || r.at(1) == '=') {
		r.i = start
		return false
	}
	r.i += 1 + words.Btoi(compound)
	r.assign(start, names, whole, compound)
	return true
}

// assign takes the value of an assignment from the statement that follows.
func (r *powerReader) assign(start int, names []string, whole, compound bool) {
	p := r.p
	r.lines()
	tableAt := r.i
	data := r.statement()
	if strings.HasPrefix(r.s[min(tableAt, len(r.s)):], "@{") {
		inner := &powerReader{p: p, s: r.s, i: tableAt + 1, base: r.base}
		p.state.tables[names[0]] = inner.bracketed()
	}
	if compound {
		before := powerArg{powerData: p.variable(names[0])}
		data = sum(before, powerArg{powerData: data}).powerData
	}
	if !whole && len(names) == 1 {
		// A member of it has changed: what it holds is not known any more.
		if old, ok := p.sc.Vars[powerPrefix+names[0]]; ok {
			p.set(names[0], unknownWith(powerData{list: old.Values}.taint()|data.taint()))
		}
		return
	}
	for i, name := range names {
		item := data
		if len(names) > 1 && i < len(data.list) {
			item = powerData{list: data.list[i : i+1]}
		}
		p.set(name, item)
		if env, ok := strings.CutPrefix(name, "env:"); ok {
			p.environ(env, item.single(" "), r.span(start))
		}
	}
}

// environ notes a change of the environment that matters to the guard or to what is started later.
func (p *powerShell) environ(name string, v trace.Value, span effect.Span) {
	name = strings.ToUpper(name)
	if trace.IsGuardVariable(name) || trace.Preloads(name) {
		p.trace.VariableEffect(name, v, p.sc, span)
	}
}
