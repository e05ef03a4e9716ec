package policy

import (
	"regexp/syntax"
	"strconv"
	"unicode/utf8"

	"guardrails/internal/document"
)

// Limits for the size of the regular expressions in rules that callers send. A regular expression with a repetition
// such as (...){1000} can need a thousand times the memory of its text. It can also make the check of each character of
// a message a thousand times slower.
const (
	// LintLimit is for rules that are only checked, and TrialLimit for rules that are also applied to a message.
	LintLimit  = 500_000
	TrialLimit = 100_000
)

// mostWork limits the work of a trial with rules that a caller sends. The work is the total size of the regular
// expressions times the length of the message. A trial with this much work takes about a second.
const mostWork = 20_000_000

// fits() reports whether a regular expression, together with the regular expressions before it, is within the limit.
func (r *reader) fits(pattern string) bool {
	if r.limit == 0 {
		return true
	}
	if parsed, err := syntax.Parse(pattern, syntax.Perl); err == nil {
		r.size += sizeOf(parsed)
	}
	return r.size <= r.limit
}

// sizeOf returns the approximate number of steps of a regular expression after it is compiled.
func sizeOf(re *syntax.Regexp) int {
	size := 1
	if re.Op == syntax.OpLiteral {
		size = len(re.Rune)
	}
	for _, sub := range re.Sub {
		size += sizeOf(sub)
	}
	if re.Op == syntax.OpRepeat {
		size *= max(re.Min, re.Max, 1)
	}
	return size
}

// tooMuchWork returns a problem if a trial of the rules would take too long. The parameter "size" is the total size of
// their regular expressions.
func tooMuchWork(file string, size int, facts *Facts) document.Problems {
	if facts == nil || facts.Message == nil || size == 0 {
		return nil
	}
	length := utf8.RuneCountInString(*facts.Message)
	if size*length <= mostWork {
		return nil
	}
	return document.Problems{{
		File: file, Path: "facts.message",
		Message: "has " + strconv.Itoa(length) +
			" characters, which is too long for these regular expressions: trying them would take too long",
		Remedy: "use at most " + strconv.Itoa(mostWork/size) + " characters, or fewer and shorter regular expressions; a repetition such " +
			"as x{100} counts as 100 copies",
	}}
}
