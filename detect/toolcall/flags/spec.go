package flags

import (
	"strings"

	"guardrails/detect/toolcall/words"
)

// A spec describes the flags of a program. It is a text with words that are separated by spaces:
//
//	o output    flags that take a value: single letters and long names
//	-out        a long flag that takes a value and is written with one hyphen
//	?Si         letters that take a value only if the value is attached: -Skey
//	--*         at the beginning: the program accepts unambiguous abbreviations of long flags, as GNU getopt_long does
//	--force     a flag that takes no value and whose name is the beginning of another name, such as force-with-lease
//
// Programs that accept only whole names have no --* in their spec. Programs written in Go are of this kind.

// Abbreviates is the beginning of the spec of a program that accepts abbreviated long flags. An abbreviation must be
// the beginning of only one flag.
const Abbreviates = "--* "

// abbreviates() reports whether the program of a spec accepts abbreviated long flags.
func abbreviates(spec string) bool { return strings.HasPrefix(spec, Abbreviates[:3]) }

// TakesValue reports whether a spec says that a flag takes a value.
func TakesValue(spec, name string) bool { return words.Among(name, spec) == name }

// takesAttached reports whether a spec says that the value of a flag may follow its letter directly, as in -i.bak.
func takesAttached(spec string, letter byte) bool {
	_, letters, _ := strings.Cut(spec, "?")
	letters, _, _ = strings.Cut(letters, " ")
	return strings.IndexByte(letters, letter) >= 0
}

// longFlag returns the whole name of a flag, and whether the flag takes a value. The flag may be abbreviated in the
// call. If the spec does not list the flag, longFlag returns the name as the call has it.
func longFlag(spec, written string) (name string, hasValue bool) {
	if TakesValue(spec, written) {
		return written, true
	}
	if !abbreviates(spec) || begins("--"+written, spec) != "" {
		return written, false
	}
	if full := begins(written, spec); full != "" {
		return full, true
	}
	return written, false
}

func isWhole(spec, name string) bool {
	return TakesValue(spec, name) || words.Among("--"+name, spec) != ""
}

// begins() returns the first name in a list that begins with the text. If there is none, it returns "".
func begins(text, list string) string {
	if text == "" {
		return ""
	}
	for rest := list; rest != ""; {
		var word string
		word, rest, _ = strings.Cut(rest, " ")
		if len(word) > 1 && strings.HasPrefix(word, text) {
			return word
		}
	}
	return ""
}
