// Package stack enlarges the stack of the first goroutine in one step. The functions that judge a tool call are
// deeply nested. A stack that grows in small steps is copied at each step, and each old copy leaves unused pages of
// memory.
//
// The package imports nothing, so it is initialized before the packages that need the larger stack.
package stack

var _ = grow(0)

// The constant "size" is large enough for a typical tool call.
const size = 40 << 10

// grow() needs so much stack that the runtime enlarges the stack before the first line of grow() runs.
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
