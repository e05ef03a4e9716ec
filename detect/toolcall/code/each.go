package code

// each.go handles values that have several choices, such as an item of the list in a loop, or one of the two results
// of a condition.

import (
	"strings"

	"guardrails/detect/toolcall/code/library"
	"guardrails/detect/toolcall/trace"
	"guardrails/detect/toolcall/words"
)

// oneOf returns a value that may be any of the items. The items are its choices.
func oneOf(items []value) value {
	if len(items) == 1 {
		return items[0]
	}
	if len(items) == 0 {
		return &data{}
	}
	out := &data{list: true, any: true, items: items[:min(len(items), trace.MaxTurns)]}
	out.taint = out.itemTaint()
	return out
}

// eitherOf returns a value that may be x or y.
func eitherOf(x, y value) value {
	if x.kind == fakeObject || y.kind == fakeObject { // the other one may be real
		return &data{taint: x.itemTaint() | y.itemTaint()}
	}
	items := append([]value{}, alternativesOf(x)...)
	for _, v := range alternativesOf(y) {
		if !v.isEmpty() {
			items = append(items, v)
		}
	}
	if len(items) > 1 && items[0].isEmpty() && items[0].taint == 0 {
		items = items[1:]
	}
	return oneOf(items)
}

func alternativesOf(v value) []value {
	if v.any {
		return v.items
	}
	return []value{v}
}

func (v value) isEmpty() bool {
	return v == nil ||
		!v.known && !v.list && v.text == "" && v.name == "" && v.method == "" && v.fn == nil && v.kind == noObject
}

// choices returns the largest number of choices that v, or a part of v, has.
func (v value) choices(depth int) int {
	n := 1
	if v.any {
		n = len(v.items)
	}
	if depth > 3 {
		return n
	}
	for i := range v.items {
		n = max(n, v.items[i].choices(depth+1))
	}
	for i := range v.pairs {
		n = max(n, v.pairs[i].value.choices(depth+1))
	}
	return n
}

// pick returns a copy of v in which every part that has choices is replaced by its i-th choice.
func (v value) pick(i, depth int) value {
	if v.any && len(v.items) > 0 {
		v = v.items[i%len(v.items)]
	}
	if depth > 3 || v.choices(depth) == 1 {
		return v
	}
	items, pairs := v.items, v.pairs
	v = v.clone()
	v.items, v.pairs = make([]value, len(items)), make([]pair, len(pairs))
	for j := range items {
		v.items[j] = items[j].pick(i, depth+1)
	}
	for j := range pairs {
		v.pairs[j] = pair{pairs[j].key, pairs[j].value.pick(i, depth+1)}
	}
	return v
}

// evaluateEach runs the function evaluate for n choices, one after the other. It returns a value that may be any
// of the results.
func (in *interpreter) evaluateEach(n int, evaluate func(i int) value) value {
	var out []value
	for i := range min(n, trace.MaxTurns) {
		if !in.spend(64) {
			break
		}
		if v := evaluate(i); !v.isEmpty() || v.taint != 0 {
			out = append(out, v)
		}
	}
	return oneOf(out)
}

// itemsOf returns a value that may be any item of a list or any value of a dictionary. If there are none, the value is
// unknown.
func itemsOf(list value) value {
	switch {
	case list.any || list.walked && !list.list:
		return list
	case len(list.items) > 0:
		return oneOf(list.items)
	case len(list.pairs) > 0:
		return valuesOf(list)
	}
	return &data{taint: list.taint, walked: list.walked}
}

func keysOf(dict value) value {
	var out []value
	for _, p := range dict.pairs {
		out = append(out, textValue(p.key))
	}
	return oneOf(out)
}

func valuesOf(dict value) value {
	var out []value
	for _, p := range dict.pairs {
		out = append(out, p.value)
	}
	return oneOf(out)
}

// asItems returns a list whose items are the choices of v.
func asItems(v value) value {
	return &data{list: true, items: alternativesOf(v), taint: v.taint}
}

// bindTargets sets the variables of a loop, or the parameters of a block. Each of them gets one value that stands for
// the values it has in all iterations.
func (in *interpreter) bindTargets(names []string, list value) {
	if len(names) == 0 {
		return
	}
	in.choosing = true
	if len(names) == 1 {
		in.bind(names[0], in.itemOf(list))
		return
	}
	if len(list.pairs) > 0 && len(list.items) == 0 {
		in.bind(names[0], keysOf(list))
		in.bind(names[1], valuesOf(list))
		return
	}
	item := itemsOf(list)
	for i, name := range names {
		in.bind(name, columnOf(item, i))
	}
}

// itemOf returns the value of the variable in a loop over the list. If the list is unknown, the value stands for any
// item of it.
func (in *interpreter) itemOf(list value) value {
	if len(list.pairs) > 0 && len(list.items) == 0 && (in.language == trace.Python || in.language == trace.Script) {
		return keysOf(list)
	}
	if in.language == trace.Perl && list.known && !list.list || list.kind == queryObject ||
		list.kind == remoteObject || list.kind == clientObject {
		return inLoop(list)
	}
	v := itemsOf(list)
	if v.isEmpty() {
		v = v.clone()
		v.text, v.walked = listName(list), true
	}
	return v
}

// listName returns the text that effects show for an item of an unknown list.
func listName(list value) string {
	name := list.toTrace().Text
	if !list.isEmpty() && strings.HasPrefix(name, "$") && !strings.HasPrefix(name, "$(") {
		return name
	}
	return ""
}

// columnOf returns the i-th item of v, which is a list. If v has several choices, the result may be the i-th
// item of any of them. A choice that is not a list is kept whole, because its position in the list is
// unknown.
func columnOf(v value, i int) value {
	var out []value
	for _, item := range alternativesOf(v) {
		switch {
		case item.list && !item.any:
			if i < len(item.items) {
				out = append(out, item.items[i])
			}
		default:
			out = append(out, item)
		}
	}
	return oneOf(out)
}

// passFunctions calls the functions among the arguments of a call, because a function that takes another function
// usually calls it. The called functions get the other arguments, or the items of a list. For map and similar
// functions, the result is a list of all results. Otherwise, it is a value that may be any of them.
func (in *interpreter) passFunctions(name string, self, args value) (value, bool) {
	var functions, given []value
	for _, v := range args.items {
		if in.isCallable(v) {
			functions = append(functions, v)
			continue
		}
		for _, p := range v.pairs {
			if in.isCallable(p.value) {
				functions = append(functions, p.value) // { wanted => sub { … } }
			}
		}
		given = append(given, v)
	}
	for _, p := range args.pairs {
		if in.isCallable(p.value) {
			functions = append(functions, p.value)
		} else if p.key == "args" {
			given = append(given, p.value)
		}
	}
	symbol := argument(args, 0).text
	if in.language == trace.Ruby && symbol == words.Among(symbol, "delete unlink rmtree") {
		in.removePaths(self, symbol == "rmtree") // each(&:delete)
	}
	if len(functions) == 0 {
		return &data{}, false
	}
	if name == "then" || self.list || self.known || self.walked || len(self.pairs) > 0 {
		given = []value{self}
	}
	if method := words.AfterLast(name, "."); method == words.Among(method, "on once addListener addEventListener") {
		given = []value{in.eventOf(self, name)}
	}
	out := &data{list: true}
	for _, f := range functions {
		v := in.passItems(f, given)
		out.items = append(out.items, alternativesOf(v)...)
	}
	if name != words.Among(name, "map flatMap collect array_map lapply sapply all") {
		out = oneOf(out.items)
		if out.any {
			return out, true
		}
		out = out.clone()
	}
	out.taint |= self.itemTaint() | args.itemTaint()
	return out, true
}

// eventOf returns what an object passes to the functions that listen to its events: the input of the program, a part of
// a download, or something unknown. name is the name of the method that adds a listener.
func (in *interpreter) eventOf(self value, name string) value {
	if strings.HasPrefix(self.name+name, "process.stdin") {
		return in.stdin()
	}
	return &data{taint: self.itemTaint()}
}

// passItems calls a function with the given values. In place of a list, it passes a value that may be any item.
func (in *interpreter) passItems(f value, given []value) value {
	in.choosing = true
	items, spread := &data{list: true}, false
	for _, v := range given {
		if len(v.pairs) > 0 && len(v.items) == 0 {
			items.items = append(items.items, keysOf(v), valuesOf(v))
			continue
		}
		item := itemsOf(v)
		if !v.list && !v.walked {
			item = v
		}
		if columns := columnsOf(item); len(given) == 1 && columns > 1 && f.fn != nil && len(f.fn.params) > 1 {
			for i := range columns {
				items.items = append(items.items, columnOf(item, i))
			}
			continue
		}
		spread = spread || v.list && !v.any
		items.items = append(items.items, item)
	}
	if spread && f.fn == nil {
		in.call(f, &data{list: true, items: given})
	}
	return in.call(f, items)
}

// columnsOf returns the length of the longest list among the choices of v.
func columnsOf(v value) int {
	n := 0
	for _, item := range alternativesOf(v) {
		if item.list && !item.any {
			n = max(n, len(item.items))
		}
	}
	return n
}

// isCallable reports whether a value is a function that the code defines, or a library function with effects.
func (in *interpreter) isCallable(v value) bool {
	if v.fn != nil {
		return true
	}
	name := v.name
	if in.language == trace.PHP && v.known {
		name = v.text
	}
	if name == "" || v.kind != noObject {
		return false
	}
	kind := in.actionOf(library.Canonical(name)).Kind
	return kind >= library.RunCommand && kind <= library.ChangeOwner && kind != library.ReadFile && kind != library.OpenFile
}

// grow adds an item to the list that the variable with this name holds.
func (in *interpreter) grow(name string, item value) {
	list, ok := in.vars[name]
	if !ok || list.any || len(list.items) >= trace.MaxFields || len(list.pairs) > 0 && !list.list {
		return
	}
	list = list.clone()
	list.list = true
	list.items = append(list.items[:len(list.items):len(list.items)], alternativesOf(item)...)
	in.vars[name] = list
}
