//go:build unix && !linux

package socket

import "net"

// ownPeer trusts the folder's mode where the standard library cannot ask who is at the other end.
func ownPeer(*net.UnixConn) bool { return true }
