package reach

import (
	"strconv"
	"strings"
	"syscall"
)

// maxPath is the length of the longest path that a socket can have.
const maxPath = 107

func newSocket() (int, error) {
	return syscall.Socket(syscall.AF_UNIX, syscall.SOCK_STREAM|syscall.SOCK_CLOEXEC, 0)
}

// foreignPeer says why the listening process is not to be believed, or nothing. Who owns the socket's file says only who
// made it, so the process itself must be of the same user and run the program that the server is.
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

// runs reports whether a process runs a program. A program that was replaced since, by a newer version, is still the one
// that lay at its path.
func runs(pid int32, program string) bool {
	const replaced = " (deleted)"
	exe := "/proc/" + strconv.Itoa(int(pid)) + "/exe"
	path := make([]byte, 1<<12)
	if n, err := syscall.Readlink(exe, path); err == nil && strings.TrimSuffix(string(path[:n]), replaced) == program {
		return true
	}
	var has, want syscall.Stat_t
	return syscall.Stat(exe, &has) == nil && syscall.Stat(program, &want) == nil && has.Dev == want.Dev && has.Ino == want.Ino
}
