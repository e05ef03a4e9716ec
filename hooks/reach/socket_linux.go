package reach

import (
	"strconv"
	"strings"
	"syscall"
)

// maxPath is the largest length of a socket's path.
const maxPath = 107

func newSocket() (int, error) {
	return syscall.Socket(syscall.AF_UNIX, syscall.SOCK_STREAM|syscall.SOCK_CLOEXEC, 0)
}

// foreignPeer returns the reason why the process behind the socket cannot be trusted, or "". The owner of the socket's
// file only shows who created the file. So the process itself must belong to the same user and run the server program.
func foreignPeer(fd int, server string) string {
	peer, err := syscall.GetsockoptUcred(fd, syscall.SOL_SOCKET, syscall.SO_PEERCRED)
	if err != nil || int(peer.Uid) != syscall.Geteuid() {
		return "belongs to another user"
	}
	if server == "" || runs(peer.Pid, server) {
		return ""
	}
	return "does not run " + server + "; end that process"
}

// runs() reports whether a process runs a program. It also returns true if another file has replaced the program's file
// since the process started.
func runs(pid int32, program string) bool {
	const replaced = " (deleted)"
	exe := "/proc/" + strconv.Itoa(int(pid)) + "/exe"
	path := make([]byte, 1<<12)
	if n, err := syscall.Readlink(exe, path); err == nil && strings.TrimSuffix(string(path[:n]), replaced) == program {
		return true
	}
	var has, want syscall.Stat_t
	return syscall.Stat(exe, &has) == nil && syscall.Stat(program, &want) == nil &&
		has.Dev == want.Dev && has.Ino == want.Ino
}
