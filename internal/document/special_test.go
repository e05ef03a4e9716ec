package document

import (
	"bytes"
	"strings"
	"testing"
)

// The test puts every byte at every position of a text. The rest of the text repeats one ordinary byte. Most of the
// ordinary bytes that the test uses have values close to the values of special bytes.
func TestSpecialFindsTheFirstSpecialByte(t *testing.T) {
	for value := range 256 {
		means := value == '"' || value == '\\' || value < ' '
		for _, fill := range []byte{'a', '!', '#', '[', ']', ' ', 0x7f, 0x80, 0xff} {
			for at := range 20 {
				text := bytes.Repeat([]byte{fill}, 24)
				text[at] = byte(value)
				want := len(text)
				if means {
					want = at
				}
				if got := special(string(text), 0); got != want {
					t.Fatalf("%q: got %d, want %d", text, got, want)
				}
			}
		}
	}
}

func TestSpecialFindsTheFirstOfSeveral(t *testing.T) {
	for _, pair := range []string{`""`, `\\`, `"\`, `\"`, "\x00\"", "\"\x01", "\x1f\\", "\\\x1f", "!\"", "\"!", "\"#", " \"", "\x00\x01"} {
		for before := range 9 {
			text := []byte(strings.Repeat("x", before) + pair + strings.Repeat("y", 20))
			want := bytes.IndexFunc(text, func(r rune) bool { return r == '"' || r == '\\' || r < ' ' })
			if got := special(string(text), 0); got != want {
				t.Errorf("%q: got %d, want %d", text, got, want)
			}
		}
	}
}
