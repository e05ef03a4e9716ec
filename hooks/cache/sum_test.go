package cache

import (
	"bytes"
	"testing"
)

func TestEveryChangedByteChangesTheSum(t *testing.T) {
	text := bytes.Repeat([]byte(`{"id":"security-history"},`+"\n"), 40)[:1021]
	seen := map[uint32]bool{checksum(text): true}
	for i := range text {
		for _, bit := range []byte{1, 0x80} {
			text[i] ^= bit
			if sum := checksum(text); seen[sum] {
				t.Errorf("byte %d, bit %x: the sum has not changed", i, bit)
			} else {
				seen[sum] = true
			}
			text[i] ^= bit
		}
	}
}

func TestTextsOfDifferentLengthHaveDifferentSums(t *testing.T) {
	seen := map[uint32]bool{}
	for size := range 100 {
		seen[checksum(make([]byte, size))] = true
	}
	if len(seen) != 100 {
		t.Errorf("got %d different sums for 100 texts", len(seen))
	}
}
