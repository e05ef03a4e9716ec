//go:build unix

package sqlite

import (
	"fmt"
	"io/fs"
	"os"
	"syscall"
)

// exposed() returns the reason why a file or folder is not safe from other users. If it is safe, the result is "". The
// parameter "forbidden" has the permissions that other users must not have.
func exposed(info fs.FileInfo, forbidden fs.FileMode) string {
	stat, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return "has no known owner"
	}
	if int(stat.Uid) != os.Geteuid() {
		return fmt.Sprintf("belongs to another user (uid %d)", stat.Uid)
	}
	if open := info.Mode().Perm() & forbidden; open != 0 {
		return fmt.Sprintf("can be accessed by other users (mode %03o)", info.Mode().Perm())
	}
	return ""
}
