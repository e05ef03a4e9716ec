package pattern

import (
	"math/rand/v2"
	"slices"
	"testing"
)

func TestRunesAreSortedAsTheLibrarySortsThem(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for size := range 200 {
		got := make([]rune, size)
		for i := range got {
			got[i] = random.Int32N(50) - 1
		}
		want := slices.Sorted(slices.Values(got))
		if sortRunes(got); !slices.Equal(got, want) {
			t.Fatalf("got %v, want %v", got, want)
		}
	}
}
