package rules

import (
	"unsafe"

	"guardrails/internal/document"
)

// Size returns the approximate number of bytes that s takes in memory, including the document from which the guideline
// was read. It does not count the content of the guideline itself.
func (s *Source) Size() int64 {
	size := unsafe.Sizeof(*s) + unsafe.Sizeof(s)
	for field, path := range s.written {
		size += unsafe.Sizeof(field) + unsafe.Sizeof(path) + uintptr(len(field)+len(path))
	}
	return int64(size) + nodeSize(s.node)
}

func nodeSize(n *document.Node) int64 {
	if n == nil {
		return 0
	}
	size := int64(unsafe.Sizeof(*n)) + int64(len(n.Text))
	for _, item := range n.Items {
		size += int64(unsafe.Sizeof(item)) + nodeSize(item)
	}
	for i := range n.Fields {
		f := &n.Fields[i]
		size += int64(unsafe.Sizeof(*f)) + int64(len(f.Name)) + nodeSize(f.Value)
	}
	return size
}
