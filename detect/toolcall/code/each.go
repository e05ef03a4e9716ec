package code

// each.go evaluates code for each item of a list: the body of a loop, and functions that the code passes to other
// functions.

import (
	"strings"

	"guardrails/detect/toolcall/code/library"
	"guardrails/detect/toolcall/code/value"
	"guardrails/detect/toolcall/trace"
	"guardrails/detect/toolcall/words"
)

// evaluateEach runs evaluate() once for each of n choices. The argument of evaluate() is the index of the choice.
// evaluateEach returns a value that may be any of the results.
func (in *interpreter) evaluateEach(n int, evaluate func(i int) value.Value) value.Value {
	var out []value.Value
	for i := range min(n, trace.MaxTurns) {
		if !in.spend(64) {
			break
		}
		if v := evaluate(i); !v.IsEmpty() || v.Taint != 0 {
			out = append(out, v)
		}
	}
	return value.OneOf(out)
}

// bindTargets sets the variables of a loop, or the parameters of a block. Each variable gets one value. This value
// stands for all values that the variable has in the iterations.
func (in *interpreter) bindTargets(names []string, list value.Value) {
	if len(names) == 0 {
		return
	}
	in.choosing = true
	if len(names) == 1 {
		in.bind(names[0], in.itemOf(list))
		return
	}
	if len(list.Pairs) > 0 && len(list.Items) == 0 {
		in.bind(names[0], value.KeysOf(list))
		in.bind(names[1], value.ValuesOf(list))
		return
	}
	item := value.ItemsOf(list)
	for i, name := range names {
		in.bind(name, value.ColumnOf(item, i))
	}
}

// itemOf returns the value of the variable in a loop over the list. If the list is unknown, the result stands for any
// item of the list.
func (in *interpreter) itemOf(list value.Value) value.Value {
	if len(list.Pairs) > 0 && len(list.Items) == 0 && (in.Language == trace.Python || in.Language == trace.Script) {
		return value.KeysOf(list)
	}
	if in.Language == trace.Perl && list.Known && !list.List || list.Kind == value.QueryObject ||
		list.Kind == value.RemoteObject || list.Kind == value.ClientObject {
		return inLoop(list)
	}
	v := value.ItemsOf(list)
	if v.IsEmpty() {
		v = v.Clone()
		v.Text, v.Walked = listName(list), true
	}
	return v
}

// listName returns the text that effects show for an item of an unknown list.
func listName(list value.Value) string {
	name := list.ToTrace().Text
	if !list.IsEmpty() && strings.HasPrefix(name, "$") && !strings.HasPrefix(name, "$(") {
		return name
	}
	return ""
}

// passFunctions is for a call that passes functions to another function, such as map. The other function usually calls
// these functions. So passFunctions evaluates a call of each passed function. The arguments of this call are the other
// arguments, or the items of a list. For map and similar functions, the result is a list of all results. For other
// functions, the result is a value that may be any one of the results.
func (in *interpreter) passFunctions(name string, self, args value.Value) (value.Value, bool) {
	var functions, given []value.Value
	for _, v := range args.Items {
		if in.isCallable(v) {
			functions = append(functions, v)
			continue
		}
		for _, p := range v.Pairs {
			if in.isCallable(p.Value) {
				functions = append(functions, p.Value) // as in { wanted => sub { … } }
			}
		}
		given = append(given, v)
	}
	for _, p := range args.Pairs {
		if in.isCallable(p.Value) {
			functions = append(functions, p.Value)
		} else if p.Key == "args" {
			given = append(given, p.Value)
		}
	}
	symbol := value.Argument(args, 0).Text
	if in.Language == trace.Ruby && symbol == words.Among(symbol, "delete unlink rmtree") {
		in.RemovePaths(self, symbol == "rmtree") // as in each(&:delete)
	} else if in.Language == trace.Ruby && name == "each" && symbol != "" {
		in.libraryMethod(self, symbol, value.List())
	}
	if len(functions) == 0 {
		return &value.Data{}, false
	}
	if name == "then" || self.List || self.Known || self.Walked || len(self.Pairs) > 0 {
		given = []value.Value{self}
	} else if self.Taint.Has(trace.FromEnviron) {
		variable := &value.Data{Text: "$variable", Taint: trace.FromEnviron}
		given = []value.Value{variable, variable} // the name and the value of a variable
	}
	if method := words.AfterLast(name, "."); method == words.Among(method, "on once addListener addEventListener") {
		given = []value.Value{in.eventOf(self, name)}
	}
	out := value.List()
	for _, f := range functions {
		v := in.passItems(f, given)
		out.Items = append(out.Items, value.AlternativesOf(v)...)
	}
	if name != words.Among(name, "map flatMap collect array_map lapply sapply all") {
		out = value.OneOf(out.Items)
		if out.Any {
			return out, true
		}
		out = out.Clone()
	}
	out.Taint |= self.ItemTaint() | args.ItemTaint()
	return out, true
}

// eventOf returns the value that an object passes to the listeners for its events. The value is the input of the
// program, a part of a download, or unknown. The parameter "name" is the name of the method that adds the listener.
func (in *interpreter) eventOf(self value.Value, name string) value.Value {
	if strings.HasPrefix(self.Name+name, "process.stdin") {
		return in.Stdin()
	}
	return &value.Data{Taint: self.ItemTaint()}
}

// passItems calls a function with the given values. It does not pass a list as a whole. Instead, it passes a value that
// may be any item of the list.
func (in *interpreter) passItems(f value.Value, given []value.Value) value.Value {
	in.choosing = true
	items, spread := value.List(), false
	for _, v := range given {
		if len(v.Pairs) > 0 && len(v.Items) == 0 {
			items.Items = append(items.Items, value.KeysOf(v), value.ValuesOf(v))
			continue
		}
		item := value.ItemsOf(v)
		if !v.List && !v.Walked {
			item = v
		}
		columns := value.ColumnsOf(item)
		if len(given) == 1 && columns > 1 && f.Function != nil && len(f.Function.Params) > 1 {
			for i := range columns {
				items.Items = append(items.Items, value.ColumnOf(item, i))
			}
			continue
		}
		spread = spread || v.List && !v.Any
		items.Items = append(items.Items, item)
	}
	if spread && f.Function == nil {
		in.call(f, value.List(given...))
	}
	return in.call(f, items)
}

// isCallable reports whether a value is a function that the code defines, or a library function with effects.
func (in *interpreter) isCallable(v value.Value) bool {
	if v.Function != nil {
		return true
	}
	name := v.Name
	if in.Language == trace.PHP && v.Known {
		name = v.Text
	}
	if name == "" || v.Kind != value.NoObject {
		return false
	}
	kind := in.actionOf(library.Canonical(name)).Kind
	return kind >= library.RunCommand && kind <= library.ChangeOwner && kind != library.ReadFile && kind != library.OpenFile
}

// grow() adds an item to a list. The parameter "name" is the name of the variable that holds the list.
func (in *interpreter) grow(name string, item value.Value) {
	list, ok := in.vars[name]
	if !ok || list.Any || len(list.Items) >= trace.MaxFields || len(list.Pairs) > 0 && !list.List {
		return
	}
	list = list.Clone()
	list.List = true
	list.Items = append(list.Items[:len(list.Items):len(list.Items)], value.AlternativesOf(item)...)
	in.vars[name] = list
}
