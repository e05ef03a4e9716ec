package private_test

import (
	"runtime"
	"syscall"
	"unsafe"
)

// dropPrivileges makes the current thread obey file modes even if it belongs to root. It also binds the goroutine to
// the thread.
func dropPrivileges() {
	runtime.LockOSThread()
	header := struct {
		version uint32
		pid     int32
	}{version: 0x20080522}
	var nothing [6]uint32
	if _, _, err := syscall.RawSyscall(syscall.SYS_CAPSET, uintptr(unsafe.Pointer(&header)), uintptr(unsafe.Pointer(&nothing)), 0); err != 0 {
		panic(err)
	}
}
