// Package value represents the values that code computes: texts, lists, dictionaries, objects and functions. It records
// what is known about a value and where the value comes from.
//
// Start reading at Value. The functions of this package compute new values from other values, and have no effects.
package value

import (
	"strconv"
	"strings"

	"guardrails/detect/toolcall/trace"
	"guardrails/detect/toolcall/words"
)

// Value is the value of an expression, as far as it is known. It is a pointer, because copying the many fields of Data
// would make the compiled programs larger. A function may change a value only if Clone() has returned this value, or if
// nothing else refers to the value.
type Value = *Data

// Data is what is known about a value.
type Data struct {
	// Text is the value if Known is set. Otherwise, effects show Text in place of the value. Text then has $name for
	// each unknown part.
	Text string
	// Name is the name of the module or function that the value refers to, such as os.system.
	Name string
	// Items holds the elements of a list. Pairs holds the entries of a dictionary or the named arguments of a call.
	Items []Value
	Pairs []Pair
	// Self and Method are set if the value is a method that the code has not called yet. Self is the object, and Method
	// is the name of the method.
	Self   Value
	Method string
	Taint  trace.Taint
	// Kind is set if the value is an object whose methods have effects.
	Kind  ObjectKind
	Known bool
	List  bool
	// Glob is set if the text is a pattern that the shell replaces by the names of files.
	Glob   bool
	Number bool
	// The field "Any" is set if the value may be any one of its Items. These items are called the choices of the value.
	Any bool
	// Walked is set if the value stands for everything that the code finds in a folder or in an unknown list.
	Walked bool
	// Dotted is set if Walked is set and the code also looks into folders whose names begin with a dot.
	Dotted bool
	// Function is set if the value is a function that the code defines.
	Function *Function
	// The field "From" is the name of the variable from which the value comes.
	From string
}

// Pair is an entry of a dictionary, or a named argument of a call.
type Pair struct {
	Key   string
	Value Value
}

// ObjectKind is the kind of an object whose methods have effects.
type ObjectKind uint8

// These are the kinds of objects.
const (
	NoObject       ObjectKind = iota
	PathObject                // a path with methods: Path("x")
	FileObject                // an open file
	ProcessObject             // a running program
	SocketObject              // a connection
	BuilderObject             // an object that builds a command
	QueryObject               // data in a database or a cloud
	FakeObject                // an object that only imitates another one
	CloudObject               // a client of a cloud's service
	RemoteObject              // a connection that runs commands on another machine
	RemoteFiles               // a connection to the files of another machine
	ClientObject              // a client of a service, or an object of the service
	ClusterObject             // a client of Kubernetes
	RowsObject                // all rows of a table in a database, or all files in a bucket
	DeletionObject            // a deletion of all rows; a later filter can still limit it
	DatabaseObject            // a function that returns the rows of a table
)

// Clone returns a copy of a value, which the caller may change.
func (v Value) Clone() Value {
	c := *v
	return &c
}

// Text returns the value of a text.
func Text(s string) Value { return &Data{Text: s, Known: true} }

// List returns a list with the given items.
func List(items ...Value) Value { return &Data{List: true, Items: items} }

// Integer returns the value as a number, and whether it is a known number.
func (v Value) Integer() (int, bool) {
	n, err := strconv.ParseInt(strings.ReplaceAll(v.Text, "0o", "0"), 0, 32)
	return int(n), v.Known && err == nil
}

// ToTrace converts the value to a trace.Value, which is the type of arguments and paths.
func (v Value) ToTrace() trace.Value {
	switch {
	case v.Known:
		return trace.Value{Text: v.Text, Quality: trace.Quality{Taint: v.Taint, Glob: v.Glob}}
	case v.Text != "":
		return trace.Value{Text: v.Text, Quality: trace.Quality{Partial: true, Taint: v.Taint}}
	case v.Name != "":
		name := v.Name[strings.LastIndexByte(v.Name, '.')+1:]
		return trace.Value{Text: "$" + name, Quality: trace.Quality{Partial: true, Taint: v.Taint}}
	}
	return trace.Value{Text: "$(…)", Quality: trace.Quality{Partial: true, Taint: v.Taint}}
}

// Flatten returns all items of v, including the items of nested lists. If v is not a list, it returns only v.
func (v Value) Flatten() []trace.Value { return v.appendFlat(nil, 0) }

func (v Value) appendFlat(out []trace.Value, depth int) []trace.Value {
	if !v.List || depth > 4 {
		return append(out, v.ToTrace())
	}
	for _, item := range v.Items {
		if len(out) < trace.MaxFields {
			out = item.appendFlat(out, depth+1)
		}
	}
	return out
}

// ItemTaint returns the combined taint of a value, its items and its entries.
func (v Value) ItemTaint() trace.Taint {
	taint := v.Taint
	for i := range v.Items {
		taint |= v.Items[i].Taint
	}
	for i := range v.Pairs {
		taint |= v.Pairs[i].Value.Taint
	}
	return taint
}

// Entry returns the first entry or named argument that has one of the keys. Spaces separate the keys.
func (v Value) Entry(keys string) (Value, bool) {
	for _, p := range v.Pairs {
		if words.OneOf(p.Key, keys) {
			return p.Value, true
		}
	}
	return &Data{}, false
}

// EntryOf returns the entry or named argument that has the key. The key may contain spaces.
func (v Value) EntryOf(key string) (Value, bool) {
	for _, p := range v.Pairs {
		if p.Key == key {
			return p.Value, true
		}
	}
	return &Data{}, false
}

// Choice returns the i-th choice of a value. If the value has no choices, it returns the value itself.
func (v Value) Choice(i int) Value {
	if v.Any && len(v.Items) > 0 {
		return v.Items[i%len(v.Items)]
	}
	return v
}

// MaxJoined is the maximum length of a computed text. If a text would be longer, it becomes unknown.
const MaxJoined = 8 << 10

// Join returns the result of concatenating two texts or lists.
func Join(x, y Value) Value {
	if n := max(len(x.Items), len(y.Items)); x.Any || y.Any {
		var out []Value
		for i := range n {
			out = append(out, Join(x.Choice(i), y.Choice(i)))
		}
		return OneOf(out)
	}
	if x.List || y.List {
		items := append(append([]Value{}, x.AsList()...), y.AsList()...)
		if len(items) > trace.MaxFields {
			items = items[:trace.MaxFields]
		}
		return &Data{Items: items, List: true, Taint: x.Taint | y.Taint}
	}
	out := &Data{Known: x.Known && y.Known, Taint: x.Taint | y.Taint, Walked: x.Walked || y.Walked}
	out.Dotted = x.Dotted || y.Dotted
	out.Text = x.ToTrace().Text + y.ToTrace().Text
	if len(out.Text) > MaxJoined {
		return &Data{Taint: out.Taint}
	}
	return out
}

// AsList returns the items of a list, or the value itself as the only item.
func (v Value) AsList() []Value {
	if v.List {
		return v.Items
	}
	return []Value{v}
}

// Argument returns the i-th argument of a call, or an unknown value if there are fewer arguments.
func Argument(args Value, i int) Value {
	if i >= 0 && i < len(args.Items) {
		return args.Items[i]
	}
	return &Data{}
}

// IsEmpty reports whether nothing is known about a value.
func (v Value) IsEmpty() bool {
	return v == nil ||
		!v.Known && !v.List && v.Text == "" && v.Name == "" && v.Method == "" && v.Function == nil && v.Kind == NoObject
}

// Off is the content of the field Name for the value false, which turns an option off.
const Off = "false"

// IsOn reports whether the call has one of the options and does not turn it off. Spaces separate the options. The value
// of an option that is on may be unknown.
func (v Value) IsOn(keys string) bool {
	for _, options := range v.OptionSets() {
		if setting, ok := options.Entry(keys); ok && setting.Name != Off {
			return true
		}
	}
	return false
}

// OptionSets returns the values that may contain the options of a call. The result has the list of arguments and each
// single argument, because an argument may be a dictionary with options.
func (v Value) OptionSets() []Value { return append([]Value{v}, v.Items...) }

// AddEntry adds a key and its value to v, which is a dictionary or a list of arguments.
func (v Value) AddEntry(key string, item Value) {
	if len(v.Pairs) < trace.MaxFields {
		v.Pairs = append(v.Pairs, Pair{Key: key, Value: item})
	}
}

// AllNumbers reports whether v is a list of numbers.
func (v Value) AllNumbers() bool {
	for _, item := range v.Items {
		if !item.Number {
			return false
		}
	}
	return len(v.Items) > 0
}

// SliceFrom returns the first index of a slice, such as 1 for [1:].
func (v Value) SliceFrom() (int, bool) {
	if len(v.Pairs) != 1 || len(v.Items) > 0 || !v.List {
		return 0, false
	}
	n, ok := Text(v.Pairs[0].Key).Integer()
	return max(n, 0), ok
}

// IsOfMany reports whether a value stands for every item of an unknown list. It also returns true if a part of the
// value stands for every such item. If the value is a method, it also returns true if the object of the method stands
// for every such item.
func (v Value) IsOfMany(depth int) bool {
	if v.Walked || depth > 4 {
		return v.Walked
	}
	for _, p := range v.Pairs {
		if p.Value.IsOfMany(depth + 1) {
			return true
		}
	}
	for _, item := range v.Items {
		if item.IsOfMany(depth + 1) {
			return true
		}
	}
	return v.Self != nil && v.Self.IsOfMany(depth+1)
}

// IsPlainText reports whether v is a known text.
func (v Value) IsPlainText() bool { return v.Known && !v.List && !v.Number }

// DeepTaint returns the taint of a value and of everything inside it.
func DeepTaint(v Value, depth int) trace.Taint {
	taint := v.ItemTaint()
	if depth > 4 {
		return taint
	}
	for _, item := range v.Items {
		taint |= DeepTaint(item, depth+1)
	}
	for _, p := range v.Pairs {
		taint |= DeepTaint(p.Value, depth+1)
	}
	return taint
}
