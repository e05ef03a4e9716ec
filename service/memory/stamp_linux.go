package memory

import (
	"io/fs"
	"syscall"
	"time"
)

// changeTime returns when a file or its attributes last changed. A program can set the modification time of a file, but
// it cannot set the time that changeTime returns.
func changeTime(info fs.FileInfo) time.Time {
	if stat, ok := info.Sys().(*syscall.Stat_t); ok {
		return time.Unix(stat.Ctim.Unix())
	}
	return info.ModTime()
}
