package code

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"guardrails/detect/toolcall/trace"
	"guardrails/detect/toolcall/words"
)

// known is what is known of an expression's value.
type known struct {
	// text is the value when known is set; else how it is shown, with $name for what is not known.
	text string
	// name is set for what an expression names: a module or function such as os.system.
	name string
	// items are the elements of a list, pairs the entries of a dictionary or the named arguments.
	items []known
	pairs []pair
	// self and method are set between a method's name and its call.
	self   *known
	method string
	taint  trace.Taint
	// class is set for objects of which the methods matter.
	class  class
	known  bool
	list   bool
	number bool
}

type pair struct {
	key   string
	value known
}

type class uint8

const (
	plain   class = iota
	pathOf        // a path with methods: Path("x")
	fileOf        // an open file
	process       // a started program that can be written to
	socket        // a connection
)

func text(s string) known { return known{text: s, known: true} }

// integer reads a number as far as it is an integer.
func (d known) integer() (int, bool) {
	n, err := strconv.ParseInt(strings.ReplaceAll(d.text, "0o", "0"), 0, 32)
	return int(n), d.known && err == nil
}

// value is the datum as an argument of a command or a path.
func (d known) value() trace.Value {
	switch {
	case d.known:
		return trace.Value{Text: d.text, Quality: trace.Quality{Taint: d.taint}}
	case d.text != "":
		return trace.Value{Text: d.text, Quality: trace.Quality{Partial: true, Taint: d.taint}}
	case d.name != "":
		return trace.Value{Text: "$" + d.name[strings.LastIndexByte(d.name, '.')+1:], Quality: trace.Quality{Partial: true, Taint: d.taint}}
	}
	return trace.Value{Text: "$(…)", Quality: trace.Quality{Partial: true, Taint: d.taint}}
}

// all are the values of a datum: its own, or those of its items.
func (d known) all() []trace.Value { return d.appendAll(nil, 0) }

func (d known) appendAll(out []trace.Value, depth int) []trace.Value {
	if !d.list || depth > 4 {
		return append(out, d.value())
	}
	for _, item := range d.items {
		if len(out) < trace.MaxFields {
			out = item.appendAll(out, depth+1)
		}
	}
	return out
}

// tainted is where anything in a datum comes from.
func (d known) tainted() trace.Taint {
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
func (d known) named(keys ...string) (known, bool) {
	for _, p := range d.pairs {
		for _, k := range keys {
			if p.key == k {
				return p.value, true
			}
		}
	}
	return known{}, false
}

// maxJoined is the longest text that is put together; what is longer is not known.
const maxJoined = 8 << 10

// join puts two values together.
func join(x, y known) known {
	if x.list || y.list {
		items := append(append([]known{}, x.listed()...), y.listed()...)
		if len(items) > trace.MaxFields {
			items = items[:trace.MaxFields]
		}
		return known{items: items, list: true, taint: x.taint | y.taint}
	}
	out := known{known: x.known && y.known, taint: x.taint | y.taint}
	out.text = x.value().Text + y.value().Text
	if len(out.text) > maxJoined {
		return known{taint: out.taint}
	}
	return out
}

func (d known) listed() []known {
	if d.list {
		return d.items
	}
	return []known{d}
}

// argument is the i-th argument of a call, or nothing.
func argument(args known, i int) known {
	if i >= 0 && i < len(args.items) {
		return args.items[i]
	}
	return known{}
}

// decodeDatum is decoded text, as far as the way it is encoded is simple.
func decodeDatum(kind actionKind, d known) known {
	if kind == spellText {
		return spelled(d)
	}
	out := known{taint: d.taint | trace.Decoded, text: "$decoded"}
	if !d.known || d.list {
		return out
	}
	switch kind {
	case base64Text:
		out.setText(words.FromPlainBase64(standardAlphabet(d.text)))
	case hexText:
		out.setText(words.FromHex(d.text))
	case rotate:
		out.setText(rot13(d.text), true)
	case reverseText:
		return reversed(d)
	}
	return out
}

func (d *known) setText(s string, ok bool) {
	if ok && utf8.ValidString(s) {
		d.text, d.known = s, true
	}
}

// standardAlphabet is base64 in its usual letters, without padding.
func standardAlphabet(s string) string {
	s = strings.TrimRight(strings.Join(strings.Fields(s), ""), "=")
	return strings.ReplaceAll(strings.ReplaceAll(s, "-", "+"), "_", "/")
}

func rot13(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z':
			return 'a' + (r-'a'+13)%26
		case r >= 'A' && r <= 'Z':
			return 'A' + (r-'A'+13)%26
		}
		return r
	}, s)
}

func reversed(d known) known {
	if d.list {
		items := slices.Clone(d.items)
		slices.Reverse(items)
		d.items, d.taint = items, d.taint|trace.Decoded
		return d
	}
	runes := []rune(d.text)
	slices.Reverse(runes)
	d.text = string(runes)
	d.taint |= trace.Decoded
	return d
}

// spelled are numbers made into letters.
func spelled(d known) known {
	out := known{known: true, taint: d.taint | trace.Decoded}
	for _, item := range d.listed() {
		n, ok := item.integer()
		if !ok || n <= 0 || n > utf8.MaxRune {
			return known{taint: out.taint}
		}
		out.text += string(rune(n))
		if len(out.text) > maxJoined {
			return known{taint: out.taint}
		}
	}
	return out
}
