package private

import "math/bits"

// Key signs files that guardrails writes for itself. If an agent writes or renames such a file, or copies it from
// another session, the file has no valid signature. The decision record ADR 037 says why the signature is a SipHash.
type Key struct{ k0, k1 uint64 }

// For is a method that derives the key for one purpose, such as one file. A signature with this key is not valid for
// another purpose.
func (k Key) For(purpose string) Key {
	text := append([]byte(purpose), 0)
	first := k.hash(text)
	text[len(purpose)] = 1
	return Key{first, k.hash(text)}
}

// hash() returns the SipHash-2-4 of a text. All rounds are in one loop, because hooks are built without inlining, and a
// function call for each round would double the time.
func (k Key) hash(text []byte) uint64 {
	v0, v1 := k.k0^0x736f6d6570736575, k.k1^0x646f72616e646f6d
	v2, v3 := k.k0^0x6c7967656e657261, k.k1^0x7465646279746573
	size := uint64(len(text))
	const usual, final = 2, 4
	for rounds, last := usual, false; ; {
		var word uint64
		switch {
		case last:
			rounds = final
			v2 ^= 0xff
		case len(text) >= 8:
			word = uint64(text[0]) | uint64(text[1])<<8 | uint64(text[2])<<16 | uint64(text[3])<<24 |
				uint64(text[4])<<32 | uint64(text[5])<<40 | uint64(text[6])<<48 | uint64(text[7])<<56
			text = text[8:]
		default:
			last, word = true, size<<56
			for i, c := range text {
				word |= uint64(c) << (8 * i)
			}
		}
		v3 ^= word
		for range rounds {
			v0 += v1
			v1 = bits.RotateLeft64(v1, 13) ^ v0
			v0 = bits.RotateLeft64(v0, 32)
			v2 += v3
			v3 = bits.RotateLeft64(v3, 16) ^ v2
			v0 += v3
			v3 = bits.RotateLeft64(v3, 21) ^ v0
			v2 += v1
			v1 = bits.RotateLeft64(v1, 17) ^ v2
			v2 = bits.RotateLeft64(v2, 32)
		}
		if rounds == final {
			return v0 ^ v1 ^ v2 ^ v3
		}
		v0 ^= word
	}
}
