package evaluator

import (
	"unsafe"

	"guardrails/guideline/pattern"
)

// Size returns the approximate number of bytes that the set takes in memory. It does not count the guidelines.
func (s *Set) Size() int64 {
	size := cap(s.rules) * int(unsafe.Sizeof(rule{}))
	globs, tools := map[*pattern.Glob]bool{}, map[*pattern.Tool]bool{}
	for i := range s.rules {
		r := &s.rules[i]
		size += patternsSize(r.paths, globs, (*pattern.Glob).Size)
		for _, list := range [...][]*pattern.Tool{r.allowed, r.denied, r.asked} {
			size += patternsSize(list, tools, (*pattern.Tool).Size)
		}
	}
	if s.index != nil {
		size += s.index.size()
	}
	return int64(size)
}

// patternsSize returns the size of a list of patterns. It counts a pattern only if the pattern is not yet in the map
// "counted", and then adds the pattern to this map.
func patternsSize[T any](list []*T, counted map[*T]bool, sizeOf func(*T) int) int {
	size := cap(list) * int(unsafe.Sizeof((*T)(nil)))
	for _, p := range list {
		if !counted[p] {
			counted[p] = true
			size += sizeOf(p)
		}
	}
	return size
}

func (x *index) size() int {
	const number = int(unsafe.Sizeof(int(0)))
	size := int(unsafe.Sizeof(*x)) + cap(x.noColumn)*number
	for i := range x.columns {
		c := &x.columns[i]
		size += cap(c.all) * number
		for _, list := range c.byValue {
			// The texts of the values belong to the guidelines, so they do not count here. The memory of a map has room
			// for about a fifth more items than the map has.
			size += int(unsafe.Sizeof("")+unsafe.Sizeof(list))*6/5 + cap(list)*number
		}
	}
	return size
}
