package run_test

import (
	"runtime"
	"syscall"
	"unsafe"
)

// dropPrivileges makes file modes apply to root too, in this process and in the program that replaces it.
func dropPrivileges() error {
	if syscall.Geteuid() != 0 {
		return nil
	}
	runtime.LockOSThread()
	// The arguments mean PR_SET_SECUREBITS, and SECBIT_NOROOT with its lock. After exec, root then has no privileges.
	const setSecureBits, noRoot = 28, 1 | 2
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
