package reach

import "syscall"

// maxPath is the length of the longest path that a socket can have.
const maxPath = 107

func newSocket() (int, error) {
	return syscall.Socket(syscall.AF_UNIX, syscall.SOCK_STREAM|syscall.SOCK_CLOEXEC, 0)
}

// ownPeer reports whether the listening process is of the same user: who owns the file says only who made it.
func ownPeer(fd int) bool {
	peer, err := syscall.GetsockoptUcred(fd, syscall.SOL_SOCKET, syscall.SO_PEERCRED)
	return err == nil && int(peer.Uid) == syscall.Geteuid()
}
