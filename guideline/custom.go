package guideline

import "strconv"

// CustomMatches reports whether the maps "custom" and "metadata" have a common value for every key of "custom". A
// scalar counts as a list with one item. Numbers are compared by value. Objects, lists in lists and null are never
// equal to anything. The facts of a call are compared as factMatches describes.
func CustomMatches(custom, metadata map[string]any) bool {
	for key, want := range custom {
		if !customMatches(key, want, metadata[key]) {
			return false
		}
	}
	return true
}

func customMatches(key string, want, got any) bool {
	if text, isText := got.(string); isText && IsFact(key) {
		return factMatches(key, want, text)
	}
	return share(want, got)
}

func share(a, b any) bool {
	list, ok := a.([]any)
	if !ok {
		return contains(b, a)
	}
	other, ok := b.([]any)
	if !ok {
		return contains(list, b)
	}
	seen := make(map[any]bool, len(other))
	for _, v := range other {
		seen[scalar(v)] = true
	}
	for _, v := range list {
		if v = scalar(v); v != nil && seen[v] {
			return true
		}
	}
	return false
}

// contains() reports whether a list contains a scalar. A scalar in place of the list counts as a list with one item.
func contains(list, wanted any) bool {
	wanted = scalar(wanted)
	if wanted == nil {
		return false
	}
	items, ok := list.([]any)
	if !ok {
		return scalar(list) == wanted
	}
	for _, item := range items {
		if scalar(item) == wanted {
			return true
		}
	}
	return false
}

// bigNumber is the text of a number that is too large for an exact float64. Two such numbers are equal if their texts
// are equal.
type bigNumber string

// The type "numeral" is a number that is stored as a text. It is a document.Numeral, or a json.Number if the caller
// uses encoding/json.
type numeral interface {
	String() string
	Float64() (float64, error)
}

const exactBelow = 1 << 53

// scalar() converts a value to a form that can be compared with ==. It returns nil for a value that is never equal to
// anything.
func scalar(v any) any {
	switch x := v.(type) {
	case string, bool:
		return x
	case numeral:
		return number(x.String())
	case float64:
		return number(strconv.FormatFloat(x, 'f', -1, 64))
	case int:
		return number(strconv.Itoa(x))
	}
	return nil
}

func number(text string) any {
	f, err := strconv.ParseFloat(text, 64)
	if err != nil || f >= exactBelow || f <= -exactBelow {
		return bigNumber(text)
	}
	return f
}
