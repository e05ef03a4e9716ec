//go:build unix && !linux

package socket

import "net"

// ownPeer trusts the folder's mode: on these systems the standard library cannot identify the process at the other end.
func ownPeer(*net.UnixConn) bool { return true }
