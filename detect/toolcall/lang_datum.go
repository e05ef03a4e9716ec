package toolcall

import (
	"strconv"
	"strings"
)

// datum is what is known of an expression's value.
type datum struct {
	// text is the value when known is set; else how it is shown, with $name for what is not known.
	text string
	// name is set for what an expression names: a module or function such as os.system.
	name string
	// items are the elements of a list, pairs the entries of a dictionary or the named arguments.
	items []datum
	pairs []pair
	// self and method are set between a method's name and its call.
	self   *datum
	method string
	taint  taint
	// class is set for objects of which the methods matter.
	class  class
	known  bool
	list   bool
	number bool
}

type pair struct {
	key   string
	value datum
}

type class uint8

const (
	plain   class = iota
	pathOf        // a path with methods: Path("x")
	fileOf        // an open file
	process       // a started program that can be written to
	socket        // a connection
)

func text(s string) datum { return datum{text: s, known: true} }

// integer reads a number as far as it is an integer.
func (d datum) integer() (int, bool) {
	n, err := strconv.ParseInt(strings.ReplaceAll(d.text, "0o", "0"), 0, 32)
	return int(n), d.known && err == nil
}

// value is the datum as an argument of a command or a path.
func (d datum) value() value {
	switch {
	case d.known:
		return value{text: d.text, quality: quality{taint: d.taint}}
	case d.text != "":
		return value{text: d.text, quality: quality{partial: true, taint: d.taint}}
	case d.name != "":
		return value{text: "$" + d.name[strings.LastIndexByte(d.name, '.')+1:], quality: quality{partial: true, taint: d.taint}}
	}
	return value{text: "$(…)", quality: quality{partial: true, taint: d.taint}}
}

// all are the values of a datum: its own, or those of its items.
func (d datum) all() []value { return d.appendAll(nil, 0) }

func (d datum) appendAll(out []value, depth int) []value {
	if !d.list || depth > 4 {
		return append(out, d.value())
	}
	for _, item := range d.items {
		if len(out) < maxFields {
			out = item.appendAll(out, depth+1)
		}
	}
	return out
}

// tainted is where anything in a datum comes from.
func (d datum) tainted() taint {
	t := d.taint
	for i := range d.items {
		t |= d.items[i].taint
	}
	for i := range d.pairs {
		t |= d.pairs[i].value.taint
	}
	return t
}

// named is the value of a named argument or a key.
func (d datum) named(keys ...string) (datum, bool) {
	for _, p := range d.pairs {
		for _, k := range keys {
			if p.key == k {
				return p.value, true
			}
		}
	}
	return datum{}, false
}

// maxJoined is the longest text that is put together; what is longer is not known.
const maxJoined = 8 << 10

// join puts two values together.
func join(x, y datum) datum {
	if x.list || y.list {
		items := append(append([]datum{}, x.listed()...), y.listed()...)
		if len(items) > maxFields {
			items = items[:maxFields]
		}
		return datum{items: items, list: true, taint: x.taint | y.taint}
	}
	out := datum{known: x.known && y.known, taint: x.taint | y.taint}
	out.text = x.value().text + y.value().text
	if len(out.text) > maxJoined {
		return datum{taint: out.taint}
	}
	return out
}

func (d datum) listed() []datum {
	if d.list {
		return d.items
	}
	return []datum{d}
}

// argument is the i-th argument of a call, or nothing.
func argument(args datum, i int) datum {
	if i >= 0 && i < len(args.items) {
		return args.items[i]
	}
	return datum{}
}
