package code

// import.go evaluates the import statements of Python and JavaScript.

import (
	"guardrails/detect/toolcall/code/lexer"
	"guardrails/detect/toolcall/code/value"
	"guardrails/detect/toolcall/trace"
)

// parseImport evaluates an import statement of Python or JavaScript.
func (p *parser) parseImport() bool {
	if p.tokenAt(1).IsOp("(") {
		return false
	}
	p.pos++
	if p.Language == trace.Script {
		p.parseScriptImport()
		return true
	}
	for p.peek().Kind == lexer.Name {
		name := p.dottedName()
		p.importModule(name)
		if p.acceptWord("as") {
			p.bind(p.peek().Text, &value.Data{Name: name})
			p.pos++
		} else if p.Language == trace.Python {
			p.forget(name)
		}
		if !p.accept(",") {
			break
		}
	}
	return true
}

// parseScriptImport evaluates a JavaScript import. Examples are import x from "m", import {a as b} from "m" and import
// * as x from "m".
func (p *parser) parseScriptImport() {
	start := p.pos
	for p.pos < len(p.toks) && p.peek().Kind != lexer.Text && p.peek().Kind != lexer.Line && !p.peek().IsOp(";") {
		p.pos++
	}
	if p.peek().Kind != lexer.Text {
		return
	}
	p.importModule(p.peek().Text)
	names, module := p.toks[start:p.pos], &value.Data{Name: moduleName(p.peek().Text)}
	p.pos++
	for i := range names {
		tok := &names[i]
		switch {
		case tok.IsOp("{"):
			p.bindMembers(names[i+1:], module)
			return
		case tok.Kind == lexer.Name && tok.Text != "from" && tok.Text != "as" && tok.Text != "type":
			p.bind(tok.Text, module)
		}
	}
}

// parseFromImport evaluates a Python import such as "from m import a as b" or "from m import *".
func (p *parser) parseFromImport() bool {
	if p.Language != trace.Python {
		return false
	}
	p.pos++
	module := p.dottedName()
	p.importModule(module)
	if !p.acceptWord("import") {
		return true
	}
	start := p.pos
	end := start
	if p.peek().IsOp("(") {
		end = p.closing(p.pos)
	}
	for p.pos < len(p.toks) && (p.pos < end || p.peek().Kind != lexer.Line && !p.peek().IsOp(";")) {
		p.pos++
	}
	if p.toks[min(start, len(p.toks)-1)].IsOp("*") {
		p.starImports = append(p.starImports, module)
		return true
	}
	p.bindMembers(p.toks[start:p.pos], &value.Data{Name: module})
	return true
}

// dottedName parses a name such as os.path.
func (p *parser) dottedName() string {
	name := ""
	for p.peek().Kind == lexer.Name || p.peek().IsOp(".") || p.peek().IsOp("*") {
		if p.peek().IsWord("as") || p.peek().IsWord("import") {
			break
		}
		name += p.peek().Text
		p.pos++
	}
	return name
}

// bindMembers binds the names in an import or a pattern. A name has one of the forms "a", "b: c" and "d as e".
func (in *interpreter) bindMembers(names []lexer.Token, from value.Value) {
	for i := 0; i < len(names); i++ {
		if names[i].Kind != lexer.Name {
			continue
		}
		member, alias := names[i].Text, names[i].Text
		if i+2 < len(names) && (names[i+1].IsOp(":") || names[i+1].IsWord("as")) && names[i+2].Kind == lexer.Name {
			alias = names[i+2].Text
			i += 2
		}
		in.bind(alias, in.member(from, member))
	}
}

// forget() deletes a variable that has the same name as a module. From then on, the name stands for the module.
func (in *interpreter) forget(name string) {
	for i := range len(name) {
		if name[i] == '.' {
			name = name[:i]
			break
		}
	}
	delete(in.vars, name)
}
