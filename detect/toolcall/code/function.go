package code

// function.go evaluates calls of the functions that the code defines.

import (
	"strings"

	"guardrails/detect/toolcall/code/lexer"
	"guardrails/detect/toolcall/code/value"
	"guardrails/detect/toolcall/self"
	"guardrails/detect/toolcall/trace"
)

// maxCalls is the maximum depth of nested calls. The result of a deeper call is unknown.
const maxCalls = 4

func (p *parser) newFunction() *value.Function {
	return &value.Function{Tokens: p.toks, Match: p.match}
}

// define() records a function that the code defines. The body of the function is evaluated when the code calls the
// function. If the code never calls it, the body is evaluated at the end.
func (p *parser) define(name string, f *value.Function) value.Value {
	f.Name = name
	p.functions = append(p.functions, f)
	v := &value.Data{Function: f}
	if name != "" && len(p.defined) < 4*trace.MaxFields {
		p.defined[name] = f
		p.vars[name] = v
	}
	return v
}

// methodNamed looks for a function of the code itself that has the same name as a called method. It returns nil if
// there is no such function, or if the type of the object is known.
func (in *interpreter) methodNamed(self value.Value, name string) *value.Function {
	if self.Kind != value.NoObject || self.Known || self.List {
		return nil
	}
	return in.defined[name]
}

// constructor() returns the constructor of a class that the code defines.
func (in *interpreter) constructor() *value.Function {
	for _, name := range [...]string{"__init__", "constructor", "initialize", "__construct"} {
		if f := in.defined[name]; f != nil {
			return f
		}
	}
	return nil
}

func (in *interpreter) callFunction(f *value.Function, args value.Value) value.Value {
	unknown := &value.Data{Taint: args.ItemTaint()}
	if f.Active || in.calls >= maxCalls || !in.spend(f.To-f.From+16) {
		return unknown
	}
	f.Called, f.Active = true, true
	in.calls++
	outer := in.returned
	in.returned = &value.Data{}
	names, before := in.bindParameters(f, args)
	p := &parser{interpreter: in, toks: f.Tokens[:f.To], match: f.Match, pos: f.From}
	switch {
	case f.Single:
		in.returned = p.expr()
	case in.Language == trace.Awk:
		p.awkStatements()
	}
	p.block(f.To)
	out := in.returned
	if out.IsEmpty() && (in.Language == trace.Ruby || in.Language == trace.Perl || in.Language == trace.Elixir) {
		out = p.last
	}
	for i, name := range names {
		in.restore(name, before[i])
	}
	in.returned = outer
	in.calls--
	f.Active = false
	if out.IsEmpty() {
		return unknown
	}
	return out
}

// callRemaining evaluates each function that the code defines but never calls. The arguments are unknown. In a module,
// callRemaining evaluates only functions that are mentioned in the code that imports the module.
func (in *interpreter) callRemaining() {
	for i := 0; i < len(in.functions) && in.spend(1+len(in.importer)/16); i++ {
		f := in.functions[i]
		if !f.Called && (in.importer == "" || f.Name != "" && self.HasWord(in.importer, f.Name)) {
			in.callFunction(f, value.List())
		}
	}
}

// bindParameters sets the parameters of a function. It returns the names of the parameters, and the values that
// variables with these names had before.
func (in *interpreter) bindParameters(f *value.Function, args value.Value) (names []string, before []value.Value) {
	set := func(name string, v value.Value) {
		names, before = append(names, name), append(before, in.take(name))
		if !v.IsEmpty() {
			in.bind(name, v)
		}
	}
	params := f.Params
	if f.Method && len(params) > 0 {
		params = params[1:]
	}
	if in.Language == trace.Perl {
		set("@_", args)
		set("$_", args)
	}
	for i, param := range params {
		v, named := args.Entry(strings.TrimLeft(param.Name, "$@%:"))
		switch {
		case named:
		case param.Rest:
			v = value.List(args.Items[min(i, len(args.Items)):]...)
		case i < len(args.Items):
			v = args.Items[i]
		case param.DefaultAt > 0:
			p := &parser{interpreter: in, toks: f.Tokens, match: f.Match, pos: param.DefaultAt}
			v = p.expr()
		}
		if param.Members != nil {
			in.setMembers(&param, v, args, set)
			continue
		}
		set(param.Name, v)
	}
	return names, before
}

// setMembers sets the variables in a parameter such as { a, b } or [a, b]. The value v is the argument for this
// parameter.
func (in *interpreter) setMembers(param *value.Parameter, v, args value.Value, set func(name string, v value.Value)) {
	column := 0
	for i := range param.Members {
		tok := &param.Members[i]
		switch {
		case tok.Kind != lexer.Name:
		case param.Columns:
			part := value.ColumnOf(v, column)
			if len(args.Items) > 1 {
				part = value.Argument(args, column)
			}
			set(tok.Text, part)
			column++
		default:
			set(tok.Text, in.member(v, tok.Text))
		}
	}
}

// take() deletes a variable and returns the value that the variable had, or nil.
func (in *interpreter) take(name string) value.Value {
	v := in.vars[name]
	delete(in.vars, name)
	return v
}

// restore() sets a variable to the value that take() has returned.
func (in *interpreter) restore(name string, v value.Value) {
	delete(in.vars, name)
	if v != nil {
		in.vars[name] = v
	}
}
