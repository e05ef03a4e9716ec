package worstcase

import (
	"runtime"
	"syscall"
	"time"
	"unsafe"
)

// Cost returns how much processor time the work takes. It does not count the time of other threads and programs. The
// result is the smallest of several runs.
func Cost(runs int, work func()) time.Duration {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	least := time.Duration(1<<63 - 1)
	for range runs {
		began := threadTime()
		work()
		least = min(least, threadTime()-began)
	}
	return least
}

func threadTime() time.Duration {
	const clockOfThread = 3
	var now syscall.Timespec
	//nolint:gosec // the clock writes to this variable, and package syscall has no function for it
	_, _, err := syscall.Syscall(syscall.SYS_CLOCK_GETTIME, clockOfThread, uintptr(unsafe.Pointer(&now)), 0)
	if err != 0 {
		panic(err)
	}
	return time.Duration(now.Nano())
}
