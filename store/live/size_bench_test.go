package live

import (
	"testing"

	"guardrails/guideline"
	"guardrails/store"
	"guardrails/store/footprint"
)

// BenchmarkSize measures how long it takes to count the bytes of 50,000 guidelines, and to update this number after a
// change.
func BenchmarkSize(b *testing.B) {
	all := apply(nil, &store.Changes{Changed: list("ordinary guidelines", 50_000), Whole: true})
	b.Run("count", func(b *testing.B) {
		for b.Loop() {
			footprint.Of(all)
		}
	})
	b.Run("change", func(b *testing.B) {
		c := &cache{}
		c.measure(nil, all, &store.Changes{Whole: true})
		for i := 0; b.Loop(); i++ {
			changes := &store.Changes{Changed: []guideline.Guideline{kinds["ordinary guidelines"](i % len(all))}}
			c.measure(all, all, changes)
		}
	})
}
