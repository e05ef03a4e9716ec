//go:build linux || darwin

package reach

import (
	"strconv"
	"syscall"
	"time"
)

// await waits for the end of a process that has closed its stdout.
func (p *child) await() error {
	closeAll(p.stdin)
	p.stdin = nil
	if !p.reap(p.deadline) {
		return p.tooSlow("closed its output but did not end", &p.ending)
	}
	p.readErrs()
	return nil
}

// reap takes the process's exit status as soon as there is one. A process closes its pipes just before it ends, so the
// first or second look finds the status.
func (p *child) reap(until time.Time) bool {
	for pause := 20 * time.Microsecond; ; pause = min(2*pause, turn) {
		var status syscall.WaitStatus
		pid, err := syscall.Wait4(p.pid, &status, syscall.WNOHANG, nil)
		if pid == p.pid {
			p.died = died(status)
			return true
		}
		if err != nil && err != syscall.EINTR {
			p.died = "is not a child of this process any more: " + err.Error()
			return true
		}
		p.readErrs()
		if !time.Now().Before(until) {
			return false
		}
		time.Sleep(pause)
	}
}

// died describes how a process ended, or returns "" when it ended well.
func died(status syscall.WaitStatus) string {
	switch {
	case status.Signaled():
		return "was ended by a signal: " + status.Signal().String()
	case status.ExitStatus() != 0:
		return "ended with code " + strconv.Itoa(status.ExitStatus())
	}
	return ""
}

// kill stops the process and its whole group. It waits only a moment for the end, because the kernel may keep a process
// for longer.
func (p *child) kill() {
	const moment = 50 * time.Millisecond
	_ = syscall.Kill(-p.pid, syscall.SIGKILL)
	p.reap(time.Now().Add(moment))
}
