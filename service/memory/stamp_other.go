//go:build !linux && !darwin

package memory

import (
	"io/fs"
	"time"
)

// changeTime returns the modification time of a file. This system offers nothing better.
func changeTime(info fs.FileInfo) time.Time { return info.ModTime() }
