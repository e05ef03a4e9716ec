// Package footprint estimates how many bytes guidelines take in memory.
//
// Start with Of. An Estimate keeps the number of bytes up to date while single guidelines of a list change.
package footprint

import (
	"math/bits"
	"reflect"
	"unsafe"

	"guardrails/guideline"
	"guardrails/internal/document"
)

// Of is a function that returns the approximate number of bytes that guidelines take in memory, with everything that
// they contain. If several guidelines share a text, a list or a map, Of() counts it once.
func Of(list []*guideline.Guideline) int64 {
	const shared = 4 // the number of texts, lists and maps of a typical guideline that other guidelines can share
	m := meter{seen: make(map[unsafe.Pointer]struct{}, shared*len(list))}
	for _, g := range list {
		m.guideline(g)
	}
	return m.bytes
}

// The type "meter" adds up the bytes of values.
type meter struct {
	// The map "seen" has the addresses of the texts, lists and maps that were counted before.
	seen  map[unsafe.Pointer]struct{}
	bytes int64
}

const (
	pointerSize = int(unsafe.Sizeof(uintptr(0)))
	textSize    = int(unsafe.Sizeof(""))
	anySize     = int(unsafe.Sizeof(any(nil)))
)

func (m *meter) guideline(g *guideline.Guideline) {
	m.add(pointerSize + int(unsafe.Sizeof(*g)))
	// Most guidelines do not share these three texts, so the meter does not remember them.
	m.add(len(g.ID))
	m.add(len(g.Name))
	m.add(len(g.Description))
	c, a := &g.Condition, &g.Action
	for _, text := range [...]string{g.CreatedBy, g.TenantID, g.ProjectID, a.Instruction, a.GateType} {
		m.text(text)
	}
	for _, list := range [...][]string{
		c.Agents, c.Domains, c.Actions, c.Paths, c.Events, c.GateTypes, a.ToolsAllowed, a.ToolsDenied, a.ToolsAsked,
	} {
		m.list(list)
	}
	m.object(g.Metadata)
	m.object(c.Custom)
	m.object(a.Parameters)
	if a.MaxFiles != nil {
		m.add(pointerSize)
	}
	if a.RequireTests != nil {
		m.add(1)
	}
	if a.RequireReview != nil {
		m.add(1)
	}
}

// add() counts one piece of memory. Go rounds the size of a piece up: small pieces to a multiple of 8 or 16 bytes.
func (m *meter) add(size int) {
	const small, step = 1024, 16
	switch {
	case size <= 0:
	case size <= small:
		m.bytes += int64((size + step - 1) / step * step)
	default:
		m.bytes += int64(size + size/16)
	}
}

// isNew returns true if the data at this address was not counted before.
func (m *meter) isNew(data unsafe.Pointer) bool {
	before := len(m.seen)
	m.seen[data] = struct{}{}
	return len(m.seen) > before
}

func (m *meter) text(s string) {
	if s != "" && m.isNew(unsafe.Pointer(unsafe.StringData(s))) {
		m.add(len(s))
	}
}

func (m *meter) list(l []string) {
	if len(l) == 0 || !m.isNew(unsafe.Pointer(unsafe.SliceData(l))) {
		return
	}
	m.add(cap(l) * textSize)
	for _, s := range l {
		m.text(s)
	}
}

func (m *meter) object(o map[string]any) {
	if o == nil || !m.isNew(reflect.ValueOf(o).UnsafePointer()) {
		return
	}
	m.mapOf(len(o))
	for name, value := range o {
		m.text(name)
		m.value(value)
	}
}

// mapOf counts the memory of a map whose keys are texts. A map has groups of eight places for its items, and one more
// byte for each place. At least one place in eight is free.
func (m *meter) mapOf(items int) {
	const group, header = 8, 48
	m.add(header)
	if items == 0 {
		return
	}
	places := group
	if items > group {
		places = 1 << bits.Len(uint(items*group/(group-1)-1))
	}
	m.add(places * (textSize + anySize + 1))
}

func (m *meter) value(v any) {
	switch v := v.(type) {
	case nil, bool:
	case string:
		m.add(textSize)
		m.text(v)
	case document.Numeral:
		m.add(textSize)
		m.text(string(v))
	case []any:
		if m.add(3 * pointerSize); len(v) == 0 || !m.isNew(unsafe.Pointer(unsafe.SliceData(v))) {
			return
		}
		m.add(cap(v) * anySize)
		for _, item := range v {
			m.value(item)
		}
	case map[string]any:
		m.object(v)
	default:
		m.add(pointerSize)
	}
}
