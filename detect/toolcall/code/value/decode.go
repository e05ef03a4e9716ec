package value

// decode.go decodes encodings that can hide a text, such as base64, hexadecimal, rot13, reversed texts and character
// codes.

import (
	"slices"
	"strings"
	"unicode/utf8"

	"guardrails/detect/toolcall/code/library"
	"guardrails/detect/toolcall/trace"
	"guardrails/detect/toolcall/words"
)

// Decode decodes a text. If Decode does not know the encoding, the result is unknown. Compressed texts, for example,
// are unknown.
func Decode(kind library.Kind, v Value) Value {
	if kind == library.DecodeCharCodes {
		return FromCharCodes(v)
	}
	out := &Data{Taint: v.Taint | trace.Decoded, Text: "$decoded"}
	if !v.Known || v.List {
		return out
	}
	switch kind {
	case library.DecodeBase64:
		out.setText(words.FromPlainBase64(standardAlphabet(v.Text)))
	case library.DecodeHex:
		out.setText(words.FromHex(v.Text))
	case library.DecodeRot13:
		out.setText(rot13(v.Text), true)
	case library.ReverseOrder:
		return Reverse(v)
	}
	return out
}

// setText sets the text of v to s if the parameter "ok" is set and s is valid UTF-8.
func (v Value) setText(s string, ok bool) {
	if ok && utf8.ValidString(s) {
		v.Text, v.Known = s, true
	}
}

// standardAlphabet converts base64 text to the standard alphabet and removes padding and white space.
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

// Reverse returns a list or a text in the opposite order.
func Reverse(v Value) Value {
	v = v.Clone()
	if v.List {
		items := slices.Clone(v.Items)
		slices.Reverse(items)
		v.Items, v.Taint = items, v.Taint|trace.Decoded
		return v
	}
	runes := []rune(v.Text)
	slices.Reverse(runes)
	v.Text = string(runes)
	v.Taint |= trace.Decoded
	return v
}

// FromCharCodes returns the text whose characters have these codes.
func FromCharCodes(v Value) Value {
	out := &Data{Known: true, Taint: v.Taint | trace.Decoded}
	for _, item := range v.AsList() {
		n, ok := item.Integer()
		if !ok || n <= 0 || n > utf8.MaxRune {
			return &Data{Taint: out.Taint}
		}
		out.Text += string(rune(n))
		if len(out.Text) > MaxJoined {
			return &Data{Taint: out.Taint}
		}
	}
	return out
}

// DecodeNamed decodes a text. The parameter "how" is the name of the encoding.
func DecodeNamed(how string, v Value) Value {
	switch strings.ReplaceAll(how, "_", "-") {
	case "base64", "base-64":
		return Decode(library.DecodeBase64, v)
	case "hex":
		return Decode(library.DecodeHex, v)
	case "rot13", "rot-13":
		return Decode(library.DecodeRot13, v)
	}
	return v
}

// Unpack evaluates calls such as ["…"].pack("H*") and "…".unpack1("m") in Ruby.
func Unpack(self Value, name string, how Value) Value {
	from := self
	if self.List {
		from = Argument(self, 0)
	}
	upper := strings.ToUpper(how.Text)
	switch {
	case upper == "H*" && name == "pack":
		return Decode(library.DecodeHex, from)
	case strings.HasPrefix(upper, "M") && name == "unpack":
		v := Decode(library.DecodeBase64, from)
		return &Data{List: true, Items: []Value{v}, Taint: v.Taint}
	case strings.HasPrefix(upper, "M") && name != "pack":
		return Decode(library.DecodeBase64, from)
	case strings.HasPrefix(upper, "C") || strings.HasPrefix(upper, "U"):
		return FromCharCodes(self)
	}
	return &Data{Taint: from.Taint}
}
