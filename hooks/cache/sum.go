package cache

import "math/bits"

// checksum detects damage by a broken disk or by a manual change. It reads eight bytes at a time and needs no tables,
// which would take longer to fill than one document takes to read. A change of any single word changes the 64-bit sum,
// because each step can be undone. It does not prevent forgery; the file's owner and mode do.
func checksum(text []byte) uint32 {
	const multiplier = 0x9e3779b97f4a7c15
	sum := uint64(len(text))
	for len(text) >= 8 {
		sum = bits.RotateLeft64((sum^eight(text))*multiplier, 29)
		text = text[8:]
	}
	for _, c := range text {
		sum = bits.RotateLeft64((sum^uint64(c))*multiplier, 29)
	}
	sum *= multiplier
	return uint32(sum>>32) ^ uint32(sum)
}

func eight(b []byte) uint64 {
	_ = b[7] // one bounds check for all
	return uint64(b[0]) | uint64(b[1])<<8 | uint64(b[2])<<16 | uint64(b[3])<<24 | uint64(b[4])<<32 | uint64(b[5])<<40 | uint64(b[6])<<48 | uint64(b[7])<<56
}
