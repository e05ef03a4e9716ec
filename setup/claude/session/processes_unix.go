//go:build unix

package session

import (
	"os/exec"
	"syscall"
)

// ownGroup makes a command start in its own process group. If the command's context ends, everything that the command
// has started is killed too.
func ownGroup(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error {
		end(family(cmd.Process.Pid))
		return nil
	}
}

// hangUp tells a client that its terminal is gone, as if a person had closed the window.
func hangUp(pid int) { _ = syscall.Kill(pid, syscall.SIGHUP) }

// end() kills processes and their groups. It ignores errors, because a process may have ended already.
func end(all []process) {
	for _, p := range all {
		if !p.alive() {
			continue
		}
		_ = syscall.Kill(-p.pid, syscall.SIGKILL)
		_ = syscall.Kill(p.pid, syscall.SIGKILL)
	}
}
