package powershell

import (
	"strings"

	"guardrails/detect/toolcall/words"
)

// keyword() reads a keyword of the language. It returns "" if no keyword follows.
func (r *reader) keyword() string {
	n := 0
	for isAlpha(r.peek(n)) {
		n++
	}
	if next := r.peek(n); n < 2 || next != 0 && strings.IndexByte(" \t\r\n({;}", next) < 0 {
		return ""
	}
	word := strings.ToLower(r.s[r.i : r.i+n])
	if word == words.Among(word, "if elseif else while for foreach switch try catch finally do until return throw "+
		"function filter param begin process end trap exit break continue class enum using in data parallel sequence "+
		"dynamicparam") {
		r.i += n
		return word
	}
	return ""
}

// runKeyword analyzes the statement after a keyword. It analyzes every branch, because it does not know which branch
// runs.
func (r *reader) runKeyword(word string) objects {
	switch word {
	case words.Among(word, "return throw exit break continue"):
		r.skipSpaces()
		if r.atEnd() || strings.IndexByte("\n\r;}", r.s[r.i]) >= 0 {
			return objects{}
		}
		return r.statement()
	case "function", "filter":
		r.defineFunction()
		return objects{}
	case "using":
		r.skipLine()
		return objects{}
	case "param":
		if r.skipLines(); r.peek(0) == '(' {
			r.bracketed()
		}
		return objects{}
	case "class", "enum":
		r.skipBrackets()
		return objects{}
	}
	return r.compoundStatement(word)
}

// compoundStatement reads the conditions and blocks after a keyword.
func (r *reader) compoundStatement(word string) objects {
	var out, items objects
	name := ""
	for !r.p.trace.Full {
		r.skipLines()
		switch c := r.peek(0); {
		case c == '(':
			block := r.bracketed()
			if word == "foreach" {
				name, items = r.p.loopItems(block)
			} else {
				r.p.child(block, objects{})
			}
		case c == '{':
			block := r.bracketed()
			if word == "switch" {
				return r.p.switchBlocks(block)
			}
			out.add(r.p.loop(name, items, block))
			return out
		case c == '-' && word == "switch" || word == "catch" && c == '[' || word == "trap" && c == '[':
			r.element(true)
		default:
			return out
		}
	}
	return out
}

// switchBlocks analyzes every block of a switch.
func (p *interpreter) switchBlocks(block fragment) objects {
	r := &reader{p: p, s: block.text, offset: block.offset}
	var out objects
	for !p.trace.Full {
		if r.skipSeparators(); r.atEnd() {
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

// skipBrackets skips the rest of a declaration, up to and including its block.
func (r *reader) skipBrackets() {
	for range 4 {
		r.skipLines()
		switch r.peek(0) {
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

func (r *reader) defineFunction() {
	r.skipSpaces()
	name := strings.ToLower(r.name("-:."))
	name = name[strings.LastIndexByte(name, ':')+1:]
	r.skipLines()
	if r.peek(0) == '(' {
		r.bracketed()
		r.skipLines()
	}
	if r.peek(0) == '{' {
		r.p.state.functions[name] = r.bracketed()
	}
}

// loopItems reads the head of a foreach loop, such as "$name in list", and returns the name and the items.
func (p *interpreter) loopItems(block fragment) (string, objects) {
	r := &reader{p: p, s: block.text, offset: block.offset}
	r.skipSpaces()
	if r.peek(0) != '$' {
		return "", p.child(block, objects{})
	}
	r.i++
	name := r.variableName()
	r.skipSpaces()
	if !strings.HasPrefix(strings.ToLower(r.s[r.i:]), "in") {
		return name, unknownFrom(0)
	}
	r.i += 2
	r.skipLines()
	return name, r.statement()
}

func (p *interpreter) loop(name string, items objects, block fragment) objects {
	if name == "" {
		return p.child(block, p.in)
	}
	var out objects
	for _, item := range items.oneByOne() {
		if p.trace.Full {
			break
		}
		p.set(name, item)
		out.add(p.child(block, item))
	}
	return out
}
