package powershell

import (
	"strings"

	"guardrails/detect/toolcall/trace"
	"guardrails/detect/toolcall/words"
)

// keyword reads a word of the language at a statement's start.
func (r *powerReader) keyword() string {
	n := 0
	for isAlpha(r.at(n)) {
		n++
	}
	if next := r.at(n); n < 2 || next != 0 && strings.IndexByte(" \t\r\n({;}", next) < 0 {
		return ""
	}
	word := strings.ToLower(r.s[r.i : r.i+n])
	if word == words.Among(word, "if elseif else while for foreach switch try catch finally do until return throw function filter "+
		"param begin process end trap exit break continue class enum using in data parallel sequence "+
		"dynamicparam") {
		r.i += n
		return word
	}
	return ""
}

// control does what a word of the language says. Every branch is taken, one after the other, because which of them
// runs is not known.
func (r *powerReader) control(word string) powerData {
	switch word {
	case words.Among(word, "return throw exit break continue"):
		r.spaces()
		if r.end() || strings.IndexByte("\n\r;}", r.s[r.i]) >= 0 {
			return powerData{}
		}
		return r.statement()
	case "function", "filter":
		r.define()
		return powerData{}
	case "using":
		r.skipLine()
		return powerData{}
	case "param":
		if r.lines(); r.at(0) == '(' {
			r.bracketed()
		}
		return powerData{}
	case "class", "enum":
		r.skipBrackets()
		return powerData{}
	}
	return r.compound(word)
}

// compound reads the conditions and blocks of what a word begins.
func (r *powerReader) compound(word string) powerData {
	var out, items powerData
	name := ""
	for !r.p.trace.Full {
		r.lines()
		switch c := r.at(0); {
		case c == '(':
			block := r.bracketed()
			if word == "foreach" {
				name, items = r.p.loopItems(block)
			} else {
				r.p.child(block, powerData{})
			}
		case c == '{':
			block := r.bracketed()
			if word == "switch" {
				return r.p.cases(block)
			}
			out.add(r.p.turns(name, items, block))
			return out
		case c == '-' && word == "switch" || word == "catch" && c == '[' || word == "trap" && c == '[':
			r.element(true)
		default:
			return out
		}
	}
	return out
}

// cases runs every block of a switch.
func (p *powerShell) cases(block powerBlock) powerData {
	r := &powerReader{p: p, s: block.text, base: block.base}
	var out powerData
	for !p.trace.Full {
		if r.separators(); r.end() {
			break
		}
		start := r.i
		if arg := r.element(true); arg.isCode {
			out.add(p.child(arg.block, p.in))
		}
		if r.i == start {
			r.i++
		}
	}
	return out
}

// skipBrackets steps over the brackets of a declaration.
func (r *powerReader) skipBrackets() {
	for range 4 {
		r.lines()
		switch r.at(0) {
		case '(':
			r.bracketed()
		case '{':
			r.bracketed()
			return
		default:
			if r.name("-") == "" {
				return
			}
		}
	}
}

func (r *powerReader) define() {
	r.spaces()
	name := strings.ToLower(r.name("-:."))
	name = name[strings.LastIndexByte(name, ':')+1:]
	r.lines()
	if r.at(0) == '(' {
		r.bracketed()
		r.lines()
	}
	if r.at(0) == '{' {
		r.p.state.functions[name] = r.bracketed()
	}
}

// loopItems reads $name in list.
func (p *powerShell) loopItems(block powerBlock) (string, powerData) {
	r := &powerReader{p: p, s: block.text, base: block.base}
	r.spaces()
	if r.at(0) != '$' {
		return "", p.child(block, powerData{})
	}
	r.i++
	name := r.variableName()
	r.spaces()
	if !strings.HasPrefix(strings.ToLower(r.s[r.i:]), "in") {
		return name, unknownWith(0)
	}
	r.i += 2
	r.lines()
	return name, r.statement()
}

// turns runs a block once for each item.
func (p *powerShell) turns(name string, items powerData, block powerBlock) powerData {
	if name == "" {
		return p.child(block, p.in)
	}
	var out powerData
	each := items.each()
	for _, item := range each {
		if p.trace.Full {
			break
		}
		p.set(name, item)
		out.add(p.child(block, item))
	}
	return out
}

// each is the data item by item: a file object as its path.
func (d powerData) each() []powerData {
	if len(d.list)+len(d.files) > trace.MaxTurns || len(d.list)+len(d.files) == 0 {
		return []powerData{unknownWith(d.taint() | trace.FromProgram)}
	}
	var out []powerData
	for _, v := range d.files {
		out = append(out, powerData{list: []trace.Value{v}})
	}
	for _, v := range d.list {
		if len(d.files) == 0 || !v.Partial {
			out = append(out, powerData{list: []trace.Value{v}})
		}
	}
	return out
}
