package kernelclock

import (
	"time"

	"golang.org/x/sys/unix"
)

// Read asks the kernel. If the kernel does not answer, the result "ok" is false.
func Read() (r Reading, ok bool) {
	var boot unix.Timespec
	var status unix.Timex // without modes, the system call only reads
	if unix.ClockGettime(unix.CLOCK_BOOTTIME, &boot) != nil {
		return r, false
	}
	if _, err := unix.Adjtimex(&status); err != nil {
		return r, false
	}
	return Reading{SinceBoot: time.Duration(boot.Nano()), Synchronized: status.Status&unix.STA_UNSYNC == 0}, true
}
