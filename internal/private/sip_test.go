package private_test

import (
	"bytes"
	"fmt"
	"testing"

	"guardrails/internal/private"
)

// These are the first test vectors that the authors of SipHash published. The key consists of the bytes 00 01 … 0f.
// Each text consists of bytes that count up from 00.
func TestASignatureIsTheSipHashOfTheText(t *testing.T) {
	key := private.KeyOf(0x0706050403020100, 0x0f0e0d0c0b0a0908)
	for size, want := range []uint64{
		0x726fdb47dd0e0e31, 0x74f839c593dc67fd, 0x0d6c8009d9a94f5a, 0x85676696d7fb7e2d, 0xcf2794e0277187b7,
		0x18765564cd99a68d, 0xcbc9466e58fee3ce, 0xab0200f58b01d137, 0x93f5f5799a932462, 0x9e0082df0ba9e4b0,
		0x7a5dbbc594ddb9f3, 0xf4b32f46226bada7, 0x751e8fbc860ee5fb, 0x14ea5627c0843d90, 0xf723ca908e7af2ee,
		0xa129ca6149be45e5,
	} {
		text := make([]byte, size)
		for i := range text {
			text[i] = byte(i)
		}
		if got := key.Hash(text); got != want {
			t.Errorf("%d bytes: got %016x, want %016x", size, got, want)
		}
	}
}

func TestEveryChangedByteChangesTheSignature(t *testing.T) {
	key := private.KeyOf(1, 2)
	text := bytes.Repeat([]byte(`{"id":"security-history"},`+"\n"), 40)[:1021]
	seen := map[uint64]bool{key.Hash(text): true}
	for i := range text {
		for _, bit := range []byte{1, 0x80} {
			text[i] ^= bit
			if sum := key.Hash(text); seen[sum] {
				t.Errorf("byte %d, bit %x: the signature has not changed", i, bit)
			} else {
				seen[sum] = true
			}
			text[i] ^= bit
		}
	}
}

func TestEachPurposeHasAKeyOfItsOwn(t *testing.T) {
	key, seen := private.KeyOf(1, 2), map[string]string{}
	for _, purpose := range []string{"", "a", "b", "a.denied-1", "a.allow-1", "a\x00", "a\x01"} {
		of := fmt.Sprint(key.For(purpose))
		if before, twice := seen[of]; twice {
			t.Errorf("%q and %q have the same key", purpose, before)
		}
		seen[of] = purpose
	}
}

func BenchmarkSignature(b *testing.B) {
	key, text := private.KeyOf(1, 2), make([]byte, 8<<10)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		key.Hash(text)
	}
}
