//go:build unix

package private

import (
	"math/rand/v2"
	"os"
)

// randomKey returns a new key. It reads random numbers from the system's device, because crypto/rand would make hooks
// larger. If there is no such device, it uses math/rand/v2, which the system seeds.
func randomKey() Key {
	k := Key{rand.Uint64(), rand.Uint64()}
	if f, err := openPlain("/dev/urandom", os.O_RDONLY, 0); err == nil {
		text := make([]byte, keySize)
		if _, err := f.ReadAt(text, 0); err == nil {
			k = Key{k.hash(text), Key{k.k1, k.k0}.hash(text)}
		}
		ignoreClose(f)
	}
	return k
}
