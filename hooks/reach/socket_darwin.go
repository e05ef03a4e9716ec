package reach

import "syscall"

// maxPath is the length of the longest path of a socket.
const maxPath = 103

func newSocket() (int, error) {
	syscall.ForkLock.RLock()
	defer syscall.ForkLock.RUnlock()
	fd, err := syscall.Socket(syscall.AF_UNIX, syscall.SOCK_STREAM, 0)
	if err == nil {
		syscall.CloseOnExec(fd)
	}
	return fd, err
}

// foreignPeer checks nothing: package syscall cannot ask for LOCAL_PEERCRED, and dial has checked the owner of the
// socket's file.
func foreignPeer(int, string) string { return "" }
