package run_test

import (
	"runtime"
	"syscall"
	"unsafe"
)

// dropPrivileges makes the modes of files hold for root as well, in this process and in what it becomes.
func dropPrivileges() error {
	if syscall.Geteuid() != 0 {
		return nil
	}
	runtime.LockOSThread()
	const setSecureBits, noRoot = 28, 1 | 2 // PR_SET_SECUREBITS; SECBIT_NOROOT and its lock: to be root gives nothing after exec
	if _, _, err := syscall.RawSyscall(syscall.SYS_PRCTL, setSecureBits, noRoot, 0); err != 0 {
		return err
	}
	header := struct {
		version uint32
		pid     int32
	}{version: 0x20080522}
	var nothing [6]uint32
	if _, _, err := syscall.RawSyscall(syscall.SYS_CAPSET, uintptr(unsafe.Pointer(&header)), uintptr(unsafe.Pointer(&nothing)), 0); err != 0 {
		return err
	}
	return nil
}
