package document_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"guardrails/internal/document"
)

func TestTextsAreSortedAsTheLibrarySortsThem(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for size := range 200 {
		list := make([]string, size)
		for i := range list {
			list[i] = fmt.Sprint(random.IntN(size))
		}
		object := map[string]any{}
		for _, text := range list {
			object[text] = nil
		}
		want := slices.Sorted(slices.Values(list))
		document.SortTexts(list)
		if !slices.Equal(list, want) {
			t.Errorf("got %q, want %q", list, want)
		}
		if keys := document.SortedKeys(object); !slices.Equal(keys, slices.Compact(want)) {
			t.Errorf("got %q, want %q", keys, slices.Compact(want))
		}
	}
}

func TestEqualElementsStayInTheirOrder(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	byTens := func(a, b int) int { return a/10 - b/10 }
	for size := range 200 {
		list := make([]int, size)
		for i := range list {
			list[i] = random.IntN(size + 1)
		}
		want := slices.Clone(list)
		slices.SortStableFunc(want, byTens)
		document.Sort(list, byTens)
		if !slices.Equal(list, want) {
			t.Errorf("got %v, want %v", list, want)
		}
	}
}
