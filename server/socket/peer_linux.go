package socket

import (
	"net"
	"syscall"
)

// ownPeer reports whether the process at the other end belongs to this user. The folder's mode usually keeps other
// users out, but an administrator may have changed it.
func ownPeer(c *net.UnixConn) bool {
	raw, err := c.SyscallConn()
	if err != nil {
		return false
	}
	own := false
	err = raw.Control(func(fd uintptr) {
		peer, err := syscall.GetsockoptUcred(int(fd), syscall.SOL_SOCKET, syscall.SO_PEERCRED)
		own = err == nil && int(peer.Uid) == syscall.Geteuid()
	})
	return err == nil && own
}
