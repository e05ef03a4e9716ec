package guideline

import (
	"strconv"
	"strings"

	"guardrails/internal/document"
)

// Show returns a value as a text for people. The value comes from a map such as metadata. Show does not use fmt,
// because hooks link this package.
func Show(v any) string {
	switch x := v.(type) {
	case string:
		return x
	case numeral:
		return x.String()
	case float64:
		return strconv.FormatFloat(x, 'g', -1, 64)
	case int:
		return strconv.Itoa(x)
	case bool:
		return strconv.FormatBool(x)
	case []any:
		items := make([]string, len(x))
		for i, item := range x {
			items[i] = Show(item)
		}
		return "[" + strings.Join(items, " ") + "]"
	case map[string]any:
		return "map[" + strings.Join(shownMembers(x), " ") + "]"
	}
	return "<nil>"
}

func shownMembers(m map[string]any) []string {
	out := make([]string, 0, len(m))
	for _, key := range document.SortedKeys(m) {
		out = append(out, key+":"+Show(m[key]))
	}
	return out
}
