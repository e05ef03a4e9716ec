package cache

import "math/bits"

// checksum tells a text from what a broken disk or a hand made of it. It goes by eight bytes at once and needs no tables,
// which a process that reads one document would fill for nothing. A change of any single word changes the sum's 64 bits,
// because each step can be undone; it keeps nobody from forging anything, which is for the file's owner and mode to do.
func checksum(text []byte) uint32 {
	const odd = 0x9e3779b97f4a7c15
	sum := uint64(len(text))
	for len(text) >= 8 {
		sum = bits.RotateLeft64((sum^eight(text))*odd, 29)
		text = text[8:]
	}
	for _, c := range text {
		sum = bits.RotateLeft64((sum^uint64(c))*odd, 29)
	}
	sum *= odd
	return uint32(sum>>32) ^ uint32(sum)
}

func eight(b []byte) uint64 {
	_ = b[7] // one check for all
	return uint64(b[0]) | uint64(b[1])<<8 | uint64(b[2])<<16 | uint64(b[3])<<24 | uint64(b[4])<<32 | uint64(b[5])<<40 | uint64(b[6])<<48 | uint64(b[7])<<56
}
