// Package stack enlarges the first stack of a process at once. The functions that judge a tool call call each other
// deeply. A stack that grows in small steps is copied at each step, and each old copy leaves unused pages of memory.
//
// It imports nothing, so it is initialised before the packages that need a larger stack than the initial one.
package stack

var _ = grow(0)

// size is enough for a usual tool call.
const size = 40 << 10

// grow needs so much stack that the runtime enlarges the stack before the first line of grow runs.
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
