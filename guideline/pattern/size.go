package pattern

import "unsafe"

// Size returns the approximate number of bytes that the compiled pattern takes in memory.
func (g *Glob) Size() int {
	size := int(unsafe.Sizeof(*g)) + len(g.source)
	for i := range g.branches {
		size += int(unsafe.Sizeof(g.branches[i])) + g.branches[i].size()
	}
	return size
}

// Size returns the approximate number of bytes that the compiled pattern takes in memory.
func (t *Tool) Size() int {
	size := int(unsafe.Sizeof(*t)) + len(t.source)
	if t.stars != nil {
		size += int(unsafe.Sizeof(*t.stars)) + t.stars.size()
	}
	if t.path != nil {
		size += t.path.Size()
	}
	for i := range t.words {
		size += int(unsafe.Sizeof(t.words[i])) + t.words[i].size()
	}
	return size
}

// size() returns the number of bytes that the fields of the wildcard w point to. The fields "head", "middle" and "tail"
// point into the field "tokens", so their tokens are not counted again.
func (w *wildcard) size() int {
	size := cap(w.tokens)*int(unsafe.Sizeof(token{})) + cap(w.middle)*int(unsafe.Sizeof(w.tokens))
	for i := range w.tokens {
		size += len(w.tokens[i].text)
	}
	return size
}
