package cache

import (
	"strconv"

	"guardrails/internal/document"
)

// appendValue appends a value as JSON. It sorts the keys of maps, so equal values have the same text.
func appendValue(out []byte, value any) []byte {
	switch v := value.(type) {
	case string:
		return document.AppendText(out, v)
	case bool:
		return strconv.AppendBool(out, v)
	case int:
		return strconv.AppendInt(out, int64(v), 10)
	case int64:
		return strconv.AppendInt(out, v, 10)
	case float64:
		return strconv.AppendFloat(out, v, 'g', -1, 64)
	case []any:
		return appendList(out, v)
	case map[string]any:
		return appendMap(out, v)
	case interface{ String() string }:
		// The text of a number stays exactly as it was read.
		return append(out, v.String()...)
	}
	return append(out, "null"...)
}

func appendList(out []byte, list []any) []byte {
	out = append(out, '[')
	for i, item := range list {
		if i > 0 {
			out = append(out, ',')
		}
		out = appendValue(out, item)
	}
	return append(out, ']')
}

func appendMap(out []byte, m map[string]any) []byte {
	out = append(out, '{')
	for i, key := range document.SortedKeys(m) {
		if i > 0 {
			out = append(out, ',')
		}
		out = append(document.AppendText(out, key), ':')
		out = appendValue(out, m[key])
	}
	return append(out, '}')
}
