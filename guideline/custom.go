package guideline

// CustomMatches reports whether every key of custom shares an element with the same key of metadata, where a scalar is
// a list of one.
func CustomMatches(custom, metadata map[string]any) bool {
	for key, want := range custom {
		if !share(want, metadata[key]) {
			return false
		}
	}
	return true
}

func share(a, b any) bool {
	if list, ok := a.([]any); ok {
		for _, item := range list {
			if share(item, b) {
				return true
			}
		}
		return false
	}
	if list, ok := b.([]any); ok {
		for _, item := range list {
			if _, nested := item.([]any); !nested && share(a, item) {
				return true
			}
		}
		return false
	}
	return sameScalar(a, b)
}

// sameScalar compares as JSON does: numbers by value, everything else by kind and value. Objects are never equal and
// an absent value (nil) matches nothing.
func sameScalar(a, b any) bool {
	if x, ok := asFloat(a); ok {
		y, isNumber := asFloat(b)
		return isNumber && x == y
	}
	switch x := a.(type) {
	case string:
		y, ok := b.(string)
		return ok && x == y
	case bool:
		y, ok := b.(bool)
		return ok && x == y
	}
	return false
}
