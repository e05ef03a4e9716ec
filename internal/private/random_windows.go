package private

import "math/rand/v2"

// randomKey returns a new key. Go's package rand gets its seed from the system.
func randomKey() Key { return Key{rand.Uint64(), rand.Uint64()} }
