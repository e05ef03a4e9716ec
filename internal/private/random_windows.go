package private

import "math/rand/v2"

// randomKey returns a new key. The system seeds the generator.
func randomKey() Key { return Key{rand.Uint64(), rand.Uint64()} }
