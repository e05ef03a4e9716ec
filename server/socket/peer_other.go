//go:build unix && !linux

package socket

import "net"

// ownPeer trusts the folder's mode: the standard library cannot tell who is at the other end on these systems.
func ownPeer(*net.UnixConn) bool { return true }
