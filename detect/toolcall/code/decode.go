package code

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

// decodeValue decodes a text. For an encoding that it does not know, such as a compression, the result is unknown.
func decodeValue(kind library.Kind, v value) value {
	if kind == library.DecodeCharCodes {
		return fromCharCodes(v)
	}
	out := &data{taint: v.taint | trace.Decoded, text: "$decoded"}
	if !v.known || v.list {
		return out
	}
	switch kind {
	case library.DecodeBase64:
		out.setText(words.FromPlainBase64(standardAlphabet(v.text)))
	case library.DecodeHex:
		out.setText(words.FromHex(v.text))
	case library.DecodeRot13:
		out.setText(rot13(v.text), true)
	case library.ReverseOrder:
		return reverse(v)
	}
	return out
}

// setText gives v the text s if ok is set and s is valid UTF-8.
func (v value) setText(s string, ok bool) {
	if ok && utf8.ValidString(s) {
		v.text, v.known = s, true
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

func reverse(v value) value {
	v = v.clone()
	if v.list {
		items := slices.Clone(v.items)
		slices.Reverse(items)
		v.items, v.taint = items, v.taint|trace.Decoded
		return v
	}
	runes := []rune(v.text)
	slices.Reverse(runes)
	v.text = string(runes)
	v.taint |= trace.Decoded
	return v
}

func fromCharCodes(v value) value {
	out := &data{known: true, taint: v.taint | trace.Decoded}
	for _, item := range v.asList() {
		n, ok := item.integer()
		if !ok || n <= 0 || n > utf8.MaxRune {
			return &data{taint: out.taint}
		}
		out.text += string(rune(n))
		if len(out.text) > maxJoined {
			return &data{taint: out.taint}
		}
	}
	return out
}

// decodeNamed decodes a text. The name of the encoding is the first argument.
func decodeNamed(how string, v value) value {
	switch strings.ReplaceAll(how, "_", "-") {
	case "base64", "base-64":
		return decodeValue(library.DecodeBase64, v)
	case "hex":
		return decodeValue(library.DecodeHex, v)
	case "rot13", "rot-13":
		return decodeValue(library.DecodeRot13, v)
	}
	return v
}

// unpackValue evaluates calls such as ["…"].pack("H*") and "…".unpack1("m") in Ruby.
func unpackValue(self value, name string, how value) value {
	from := self
	if self.list {
		from = argument(self, 0)
	}
	upper := strings.ToUpper(how.text)
	switch {
	case upper == "H*" && name == "pack":
		return decodeValue(library.DecodeHex, from)
	case strings.HasPrefix(upper, "M") && name == "unpack":
		v := decodeValue(library.DecodeBase64, from)
		return &data{list: true, items: []value{v}, taint: v.taint}
	case strings.HasPrefix(upper, "M") && name != "pack":
		return decodeValue(library.DecodeBase64, from)
	case strings.HasPrefix(upper, "C") || strings.HasPrefix(upper, "U"):
		return fromCharCodes(self)
	}
	return &data{taint: from.taint}
}
