package toolcall

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// decodeDatum is decoded text, as far as the way it is encoded is simple.
func decodeDatum(kind deedKind, d datum) datum {
	if kind == spellText {
		return spelled(d)
	}
	out := datum{taint: d.taint | decoded, text: "$decoded"}
	if !d.known || d.list {
		return out
	}
	switch kind {
	case base64Text:
		out.setText(fromPlainBase64(standardAlphabet(d.text)))
	case hexText:
		out.setText(fromHex(d.text))
	case rotate:
		out.setText(rot13(d.text), true)
	case reverseText:
		return reversed(d)
	}
	return out
}

func (d *datum) setText(s string, ok bool) {
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

func reversed(d datum) datum {
	if d.list {
		items := slices.Clone(d.items)
		slices.Reverse(items)
		d.items, d.taint = items, d.taint|decoded
		return d
	}
	runes := []rune(d.text)
	slices.Reverse(runes)
	d.text = string(runes)
	d.taint |= decoded
	return d
}

// spelled are numbers made into letters.
func spelled(d datum) datum {
	out := datum{known: true, taint: d.taint | decoded}
	for _, item := range d.listed() {
		n, ok := item.integer()
		if !ok || n <= 0 || n > utf8.MaxRune {
			return datum{taint: out.taint}
		}
		out.text += string(rune(n))
		if len(out.text) > maxJoined {
			return datum{taint: out.taint}
		}
	}
	return out
}
