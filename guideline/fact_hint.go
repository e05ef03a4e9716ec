package guideline

import (
	"slices"
	"strings"
)

// Systems lists the values of FactOS.
func Systems() []string { return []string{"linux", "macos", "windows"} }

// PermissionModes lists the values of FactPermissionMode.
func PermissionModes() []string {
	return []string{"default", "plan", "acceptEdits", "auto", "dontAsk", "bypassPermissions"}
}

// FactHint checks the value, or the list of values, that condition.custom gives for a fact. If one of them can never
// match, it returns a hint that says what to write. Otherwise it returns "".
func FactHint(name string, value any) string {
	list, isList := value.([]any)
	if !isList {
		list = []any{value}
	}
	for _, item := range list {
		if hint := hintForItem(name, item); hint != "" {
			return hint
		}
	}
	return ""
}

func hintForItem(name string, item any) string {
	text, isText := item.(string)
	text = strings.TrimPrefix(text, "!")
	oneOf := func(values ...string) string {
		if isText && slices.Contains(values, text) {
			return ""
		}
		return "write one of " + strings.Join(values, ", ")
	}
	switch name {
	case FactWeekday:
		return oneOf("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
	case FactOS:
		return oneOf(Systems()...)
	case FactPermissionMode:
		return oneOf(PermissionModes()...)
	case FactTime:
		if !isText || !isTimeCondition(text) {
			return `write a time such as "16:00", ">=16:00" or "22:00-06:00", in quotes`
		}
	case FactHeadless:
		if _, isBool := item.(bool); !isBool {
			return "write true or false"
		}
	}
	return ""
}

func isTimeCondition(text string) bool {
	from, until, isSpan := strings.Cut(strings.TrimSpace(strings.TrimLeft(text, "<>=")), "-")
	return isClock(from) && (!isSpan || isClock(until))
}
