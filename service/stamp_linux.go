package service

import (
	"io/fs"
	"syscall"
	"time"
)

// changedAt is when a file was last changed in any way; unlike the time of writing nobody can set it.
func changedAt(info fs.FileInfo) time.Time {
	if stat, ok := info.Sys().(*syscall.Stat_t); ok {
		return time.Unix(stat.Ctim.Unix())
	}
	return info.ModTime()
}
