package policy

import (
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// fold() returns a text in the form in which texts are compared: in compatible composed form (NFKC), in lower case,
// without invisible characters, with plain apostrophes and with one space between words.
func fold(text string) string {
	f := folder{out: make([]byte, 0, len(text))}
	if isASCII(text) {
		for i := range len(text) {
			f.ascii(text[i])
		}
		return f.text()
	}
	for _, r := range norm.NFKC.String(text) {
		switch {
		case r < utf8.RuneSelf:
			f.ascii(byte(r))
		case unicode.IsSpace(r):
			f.space = true
		case unicode.Is(unicode.Cf, r):
		case r == '’' || r == '‘' || r == 'ʼ':
			f.ascii('\'')
		default:
			f.separate()
			f.out = utf8.AppendRune(f.out, unicode.ToLower(r))
		}
	}
	return f.text()
}

func isASCII(text string) bool {
	for i := range len(text) {
		if text[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// The type "folder" writes a text in the form that fold() returns.
type folder struct {
	out   []byte
	space bool // a space comes before the next letter
}

func (f *folder) separate() {
	if f.space {
		f.out, f.space = append(f.out, ' '), false
	}
}

func (f *folder) ascii(c byte) {
	switch {
	case c == ' ' || '\t' <= c && c <= '\r':
		f.space = true
		return
	case 'A' <= c && c <= 'Z':
		c += 'a' - 'A'
	}
	f.separate()
	f.out = append(f.out, c)
}

func (f *folder) text() string {
	f.separate()
	return string(f.out)
}
