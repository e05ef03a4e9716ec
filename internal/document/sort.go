package document

import "strings"

// The sort functions of Go's library would add 15 KB to the largest hook, because they contain several algorithms. A
// hook sorts only short lists, so one algorithm is enough.

// Sort sorts a list. Elements that compare as equal stay in their order.
func Sort[T any](list []T, compare func(a, b T) int) { sort(list, make([]T, len(list)), compare) }

// sort() is a merge sort. The parameter "room" must be at least as long as the list.
func sort[T any](list, room []T, compare func(a, b T) int) {
	if len(list) < 2 {
		return
	}
	half := len(list) / 2
	sort(list[:half], room, compare)
	sort(list[half:], room, compare)
	if compare(list[half-1], list[half]) <= 0 {
		return
	}
	copy(room, list)
	a, b := room[:half], room[half:len(list)]
	for i := range list {
		if len(b) == 0 || len(a) > 0 && compare(a[0], b[0]) <= 0 {
			list[i], a = a[0], a[1:]
		} else {
			list[i], b = b[0], b[1:]
		}
	}
}

// SortTexts sorts texts.
func SortTexts(list []string) { Sort(list, strings.Compare) }

// SortedKeys returns the sorted keys of an object.
func SortedKeys(object map[string]any) []string {
	keys := make([]string, 0, len(object))
	for key := range object {
		keys = append(keys, key)
	}
	SortTexts(keys)
	return keys
}
