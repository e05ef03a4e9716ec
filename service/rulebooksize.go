package service

import (
	"unsafe"

	"guardrails/evaluator"
	"guardrails/guideline"
	"guardrails/rules"
	"guardrails/service/fallback"
	"guardrails/service/memory"
	"guardrails/store/footprint"
)

// maxMemory is the default limit for the rulebooks in memory, in bytes.
const maxMemory = 512 << 20

// restSize is roughly how many bytes a rulebook takes in addition to its guidelines: for the settings, and for the
// state of the files.
const restSize = 16 << 10

// size() returns roughly how many bytes a rulebook takes in memory now. The guidelines of a store are shared with the
// rulebooks of other projects.
func (b *rulebook) size() memory.Size {
	size := memory.Size{Own: restSize + b.own.Bytes() + b.answers.bytes()}
	for _, part := range []*storePart{b.store, b.probe} {
		if part != nil && part.shared != nil && (part == b.store || b.probe.shared != b.store.shared) {
			size.Shared = append(size.Shared, memory.Part{Of: part.shared, Bytes: part.size})
		}
	}
	return size
}

// measure() counts what belongs to the rulebook only: the compiled guidelines, and the guidelines that are not from the
// store.
func (b *rulebook) measure() { b.own = footprint.Counted(b.ownSize()) }

func (b *rulebook) ownSize() (size int64) {
	size = int64(len(b.hidden)) * int64(unsafe.Sizeof(hiddenSource{}))
	var others []*guideline.Guideline
	for i := range b.layers {
		l := &b.layers[i]
		size += l.set.Size()
		for _, g := range l.guidelines {
			if size += g.Size(); !b.isFromStore(g) {
				others = append(others, &g.Guideline)
			}
		}
	}
	return size + footprint.Of(others)
}

func (b *rulebook) isFromStore(g *rules.Source) bool {
	return b.store.from != nil && g.Origin.File == b.store.from.Location()
}

// remeasure() updates the size of the rulebook after guidelines of the store have changed.
func (b *rulebook) remeasure(changes map[string]difference) {
	var added, removed []*guideline.Guideline
	for _, d := range changes {
		if b.precedence(d.after) > 0 {
			added = append(added, d.after)
		}
		if b.precedence(d.before) > 0 {
			removed = append(removed, d.before)
		}
	}
	b.own = b.own.After(compiledSize(added), compiledSize(removed), b.ownSize)
}

// compiledSize returns the number of bytes that guidelines of the store take in a rulebook.
func compiledSize(list []*guideline.Guideline) int64 {
	size := int64(len(list)) * int64(unsafe.Sizeof(rules.Source{})+unsafe.Sizeof(&rules.Source{}))
	if set, err := evaluator.CompileShared(list); err == nil { // they are in a rulebook, so they can be compiled
		size += set.Size()
	}
	return size
}

// lastKnown returns the rulebook that was last read for a key without a failure, or nil. While a store fails, the
// guidelines of this rulebook apply, even if nothing could be saved on disk.
func (s *Service) lastKnown(key memory.Key) *fallback.Snapshot {
	if s.memory == nil {
		return nil
	}
	b, at, found := s.memory.Last(key)
	if !found {
		return nil
	}
	return fallback.InMemory(at, b.snapshotSettings(), b.plain())
}
