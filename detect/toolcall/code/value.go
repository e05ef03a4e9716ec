package code

// value.go has the values of expressions.

import (
	"strconv"
	"strings"

	"guardrails/detect/toolcall/trace"
)

// value is the value of an expression, as far as it is known. It is a pointer, because copies of so many fields would
// make the programs larger. Change a value only if clone() has returned it or nothing else refers to it.
type value = *data

type data struct {
	// text is the known value if the field known is set. Otherwise, it is what effects show, with $name for the unknown
	// parts.
	text string
	// name is the name of the module or function that the value refers to, such as os.system.
	name string
	// items holds the elements of a list. pairs holds the entries of a dictionary or the named arguments of a call.
	items []value
	pairs []pair
	// self and method are set if the value is a method that the code has not called yet: the object and the method's
	// name.
	self   value
	method string
	taint  trace.Taint
	// kind is set if the value is an object whose methods have effects.
	kind  objectKind
	known bool
	list  bool
	// glob is set if the text is a pattern that the shell replaces by the names of files.
	glob   bool
	number bool
	// any is set if the value may be any one of the items. The items are its choices.
	any bool
	// walked is set if the value stands for everything that the code finds in a folder or in an unknown list.
	walked bool
	// dotted is set if the value is walked, and the code also looks into folders whose names begin with a dot.
	dotted bool
	// fn is set if the value is a function that the code defines.
	fn *function
	// from is the name of the variable that the value comes from.
	from string
}

type pair struct {
	key   string
	value value
}

type objectKind uint8

const (
	noObject       objectKind = iota
	pathObject                // a path with methods: Path("x")
	fileObject                // an open file
	processObject             // a running program
	socketObject              // a connection
	builderObject             // an object that builds a command
	queryObject               // data in a database or a cloud
	fakeObject                // an object that only imitates another one
	cloudObject               // a client of a cloud's service
	remoteObject              // a connection to another machine that runs commands
	remoteFiles               // a connection to the files of another machine
	clientObject              // a client of a service, or something that the service holds
	clusterObject             // a client of Kubernetes
	rowsObject                // all rows of a table in a database, or all files in a bucket
	deletionObject            // a deletion of all rows, which a filter may still limit
	databaseObject            // a function that returns the rows of a table
)

func (v value) clone() value {
	c := *v
	return &c
}

func textValue(s string) value { return &data{text: s, known: true} }

func (v value) integer() (int, bool) {
	n, err := strconv.ParseInt(strings.ReplaceAll(v.text, "0o", "0"), 0, 32)
	return int(n), v.known && err == nil
}

// toTrace returns the value in the form that commands and paths have in the package trace.
func (v value) toTrace() trace.Value {
	switch {
	case v.known:
		return trace.Value{Text: v.text, Quality: trace.Quality{Taint: v.taint, Glob: v.glob}}
	case v.text != "":
		return trace.Value{Text: v.text, Quality: trace.Quality{Partial: true, Taint: v.taint}}
	case v.name != "":
		name := v.name[strings.LastIndexByte(v.name, '.')+1:]
		return trace.Value{Text: "$" + name, Quality: trace.Quality{Partial: true, Taint: v.taint}}
	}
	return trace.Value{Text: "$(…)", Quality: trace.Quality{Partial: true, Taint: v.taint}}
}

// flatten returns the values of all items, including those of nested lists. If v is not a list, it returns v alone.
func (v value) flatten() []trace.Value { return v.appendFlat(nil, 0) }

func (v value) appendFlat(out []trace.Value, depth int) []trace.Value {
	if !v.list || depth > 4 {
		return append(out, v.toTrace())
	}
	for _, item := range v.items {
		if len(out) < trace.MaxFields {
			out = item.appendFlat(out, depth+1)
		}
	}
	return out
}

// itemTaint returns the combined taint of a value, its items and its entries.
func (v value) itemTaint() trace.Taint {
	taint := v.taint
	for i := range v.items {
		taint |= v.items[i].taint
	}
	for i := range v.pairs {
		taint |= v.pairs[i].value.taint
	}
	return taint
}

// entry returns the first entry or named argument that has one of the keys.
func (v value) entry(keys ...string) (value, bool) {
	for _, p := range v.pairs {
		for _, k := range keys {
			if p.key == k {
				return p.value, true
			}
		}
	}
	return &data{}, false
}

// choice returns the i-th choice of a value, or the value itself if it has no choices.
func (v value) choice(i int) value {
	if v.any && len(v.items) > 0 {
		return v.items[i%len(v.items)]
	}
	return v
}

// maxJoined is the maximum length of a computed text. A longer text becomes unknown.
const maxJoined = 8 << 10

func join(x, y value) value {
	if n := max(len(x.items), len(y.items)); x.any || y.any {
		var out []value
		for i := range n {
			out = append(out, join(x.choice(i), y.choice(i)))
		}
		return oneOf(out)
	}
	if x.list || y.list {
		items := append(append([]value{}, x.asList()...), y.asList()...)
		if len(items) > trace.MaxFields {
			items = items[:trace.MaxFields]
		}
		return &data{items: items, list: true, taint: x.taint | y.taint}
	}
	out := &data{known: x.known && y.known, taint: x.taint | y.taint, walked: x.walked || y.walked}
	out.dotted = x.dotted || y.dotted
	out.text = x.toTrace().Text + y.toTrace().Text
	if len(out.text) > maxJoined {
		return &data{taint: out.taint}
	}
	return out
}

// asList returns the items of a list, or the value itself as the only item.
func (v value) asList() []value {
	if v.list {
		return v.items
	}
	return []value{v}
}

func argument(args value, i int) value {
	if i >= 0 && i < len(args.items) {
		return args.items[i]
	}
	return &data{}
}
