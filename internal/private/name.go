package private

import "strings"

// maxName is the length of the longest file name that common file systems allow.
const maxName = 255

// isPlainName reports whether a name is allowed for a file in the folder. A plain name consists of words with single
// dots between them.
func isPlainName(name string) bool {
	if len(name) > maxName {
		return false
	}
	for part := range strings.SplitSeq(name, ".") {
		if part == "" || !IsWord(part) {
			return false
		}
	}
	return true
}

// IsWord reports whether a text has only ASCII letters, digits, _ and -.
func IsWord(text string) bool {
	for i := range len(text) {
		if !isWordByte(text[i]) {
			return false
		}
	}
	return true
}

func isWordByte(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_' || c == '-'
}
