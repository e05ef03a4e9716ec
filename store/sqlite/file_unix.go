//go:build unix

package sqlite

import (
	"fmt"
	"io/fs"
	"os"
	"syscall"
)

// shared says in which way others than this user have to do with a file; rights are those that nobody else may have.
func shared(info fs.FileInfo, rights fs.FileMode) string {
	stat, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return "does not say whose it is"
	}
	if int(stat.Uid) != os.Geteuid() {
		return fmt.Sprintf("belongs to another user (uid %d)", stat.Uid)
	}
	if open := info.Mode().Perm() & rights; open != 0 {
		return fmt.Sprintf("is open to other users (mode %03o)", info.Mode().Perm())
	}
	return ""
}
