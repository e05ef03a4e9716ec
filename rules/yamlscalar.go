package rules

import (
	"strings"

	"guardrails/internal/document"
)

// plainKind returns the kind that a scalar without quotes has in the core schema of YAML 1.2. In this schema, "yes",
// "no", "on", "off" and dates are strings. The result "ambiguous" is set if some version of YAML reads s as a number
// but JSON does not. Readers would then disagree about the value.
func plainKind(s string) (kind document.Kind, ambiguous bool) {
	switch s {
	case "", "~", "null", "Null", "NULL":
		return document.Null, false
	case "true", "True", "TRUE", "false", "False", "FALSE":
		return document.Bool, false
	}
	if isJSONNumber(s) {
		return document.Number, false
	}
	return document.String, isAmbiguousNumber(s)
}

// isJSONNumber reports whether s is a number in JSON's syntax: "-?int frac? exp?".
func isJSONNumber(s string) bool {
	s = strings.TrimPrefix(s, "-")
	rest := strings.TrimLeft(s, "0123456789")
	whole := len(s) - len(rest)
	if whole == 0 || whole > 1 && s[0] == '0' {
		return false
	}
	if fraction, ok := strings.CutPrefix(rest, "."); ok {
		rest = strings.TrimLeft(fraction, "0123456789")
		if len(rest) == len(fraction) {
			return false
		}
	}
	return rest == "" || isExponent(rest)
}

func isExponent(s string) bool {
	if s[0] != 'e' && s[0] != 'E' {
		return false
	}
	s = s[1:]
	if s != "" && (s[0] == '+' || s[0] == '-') {
		s = s[1:]
	}
	return s != "" && strings.Trim(s, "0123456789") == ""
}

// isAmbiguousNumber reports whether s is a number such as 0x1F, 0o17, 017, 0b1, 1_000, +1, .5, 5., .inf or .nan.
func isAmbiguousNumber(s string) bool {
	if s[0] == '+' || s[0] == '-' {
		s = s[1:]
	}
	switch strings.ToLower(s) {
	case ".inf", ".nan":
		return true
	}
	if s == "" || !strings.ContainsAny(s, "0123456789") || strings.Trim(s[:1], ".0123456789") != "" {
		return false
	}
	if len(s) > 2 && s[0] == '0' {
		if digits := basedDigits(s[1]); digits != "" {
			return strings.Trim(s[2:], digits) == ""
		}
	}
	mantissa := strings.TrimLeft(s, "0123456789_")
	mantissa = strings.TrimPrefix(mantissa, ".")
	mantissa = strings.TrimLeft(mantissa, "0123456789_")
	return mantissa == "" || isExponent(mantissa)
}

func basedDigits(letter byte) string {
	switch letter {
	case 'x', 'X':
		return "0123456789abcdefABCDEF_"
	case 'o', 'O':
		return "01234567_"
	case 'b', 'B':
		return "01_"
	}
	return ""
}
