package guideline

import (
	"strings"

	"guardrails/guideline/pattern"
)

// The facts of a tool call that condition.custom can name. Hooks know their values when a call is made.
const (
	FactBranch         = "branch"          // the branch that is checked out, or "" for none
	FactWeekday        = "weekday"         // monday to sunday
	FactTime           = "time"            // the time of day on this computer, such as 16:05
	FactProject        = "project"         // the name of the project's folder
	FactOS             = "os"              // linux, macos or windows
	FactPermissionMode = "permission_mode" // the client's mode, such as default or plan
	FactHeadless       = "headless"        // true if no person can answer questions
)

// IsFact reports whether a key of condition.custom is a fact of the call.
func IsFact(key string) bool {
	switch key {
	case FactBranch, FactWeekday, FactTime, FactProject, FactOS, FactPermissionMode, FactHeadless:
		return true
	}
	return false
}

// CustomMayMatch reports whether the map "custom" matches the map "metadata", or may match it once the facts of the
// call are known.
func CustomMayMatch(custom, metadata map[string]any) bool {
	for key, want := range custom {
		got, isKnown := metadata[key]
		if (isKnown || !IsFact(key)) && !customMatches(key, want, got) {
			return false
		}
	}
	return true
}

// HasOpenFact reports whether the map "custom" names a fact that is not in the map "metadata".
func HasOpenFact(custom, metadata map[string]any) bool {
	for key := range custom {
		if _, isKnown := metadata[key]; !isKnown && IsFact(key) {
			return true
		}
	}
	return false
}

// factMatches reports whether a fact has one of the accepted values. A value with "!" excludes: "!plan" accepts
// everything except plan. If the list also contains values without "!", one of these values must match.
func factMatches(name string, wanted any, got string) bool {
	list, isList := wanted.([]any)
	if !isList {
		list = []any{wanted}
	}
	some, hit := false, len(list) > 0
	for _, item := range list {
		text, _ := item.(string)
		rest, excludes := strings.CutPrefix(text, "!")
		matches := factIs(name, rest, got)
		switch {
		case excludes && matches:
			return false
		case !excludes:
			hit = some && hit || matches || text == got
			some = true
		}
	}
	return hit
}

// factIs reports whether the value of a fact (the parameter "got") is equal to an accepted value, or matches it. For
// some facts, the accepted value is a pattern or a time span.
func factIs(name, value, got string) bool {
	switch name {
	case FactTime:
		return isWithin(value, got)
	case FactBranch, FactProject:
		glob, err := pattern.CompileGlob(value)
		return got != "" && err == nil && glob.Match(got)
	}
	return strings.EqualFold(value, got)
}

// isWithin reports whether a time of day matches a span. A span is a time (16:00), a limit (<09:00 or >=16:00), or a
// range such as 22:00-06:00, which includes 22:00 and excludes 06:00.
func isWithin(span, clock string) bool {
	for _, sign := range [...]string{">=", "<=", ">", "<"} {
		if limit, ok := strings.CutPrefix(span, sign); ok {
			limit = strings.TrimSpace(limit)
			if clock == limit {
				return len(sign) > 1
			}
			return isClock(limit) && (clock > limit) == (sign[0] == '>')
		}
	}
	from, until, isSpan := strings.Cut(span, "-")
	switch {
	case !isSpan:
		return span == clock
	case !isClock(from) || !isClock(until):
		return false
	case from <= until:
		return from <= clock && clock < until
	}
	return from <= clock || clock < until
}

// isClock reports whether a text is a time of day from 00:00 to 24:00.
func isClock(s string) bool {
	if len(s) != 5 || s[2] != ':' || s > "24:00" {
		return false
	}
	for _, i := range [...]int{0, 1, 3, 4} {
		if s[i] < '0' || s[i] > '9' {
			return false
		}
	}
	return s[3] < '6'
}
