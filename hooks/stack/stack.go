// Package stack makes the first stack of a process large at once. A tool call is judged by functions that call each other
// deeply; a stack that grows by and by is copied each time, and each size of it costs pages that are used no more.
//
// It imports nothing, so that it is initialised before the packages that need more of the stack than there is at first.
package stack

var _ = grow(0)

// size is enough for a usual tool call.
const size = 40 << 10

// grow needs so much stack that the runtime makes room for it before the first line runs.
//
//go:noinline
func grow(n int) byte {
	if n == 0 {
		return 0
	}
	var room [size]byte
	for i := range n {
		room[i] = byte(i)
	}
	return room[n-1]
}
