package words

import "strings"

// FromBase64 decodes base64 text in the standard alphabet with padding, as "base64 -d" does. It skips white space.
//
// It does not use encoding/base64, because that package links fmt into the hook programs and builds tables at every
// start of a hook.
func FromBase64(text string) (string, bool) {
	text = strings.Join(strings.Fields(text), "")
	if len(text)%4 != 0 {
		return "", false
	}
	for range 2 {
		text = strings.TrimSuffix(text, "=")
	}
	return FromPlainBase64(text)
}

// FromPlainBase64 decodes base64 text in the standard alphabet without padding.
func FromPlainBase64(text string) (string, bool) {
	if len(text)%4 == 1 {
		return "", false
	}
	out := make([]byte, 0, len(text)/4*3+2)
	bits, have := uint32(0), 0
	for i := range len(text) {
		digit, ok := base64Digit(text[i])
		if !ok {
			return "", false
		}
		if bits, have = bits<<6|digit, have+6; have >= 8 {
			have -= 8
			out = append(out, byte(bits>>have))
		}
	}
	return string(out), true
}

func base64Digit(c byte) (uint32, bool) {
	switch {
	case c >= 'A' && c <= 'Z':
		return uint32(c - 'A'), true
	case c >= 'a' && c <= 'z':
		return uint32(c-'a') + 26, true
	case c >= '0' && c <= '9':
		return uint32(c-'0') + 52, true
	case c == '+':
		return 62, true
	case c == '/':
		return 63, true
	}
	return 0, false
}

// FromHex decodes hexadecimal text, which has two digits for each byte. It skips white space.
func FromHex(text string) (string, bool) {
	text = strings.Join(strings.Fields(text), "")
	if len(text)%2 != 0 {
		return "", false
	}
	out := make([]byte, 0, len(text)/2)
	for i := 0; i < len(text); i += 2 {
		if !IsHex(text[i]) || !IsHex(text[i+1]) {
			return "", false
		}
		out = append(out, HexValue(text[i])<<4|HexValue(text[i+1]))
	}
	return string(out), true
}
