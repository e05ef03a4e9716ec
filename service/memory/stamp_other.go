//go:build !linux && !darwin

package memory

import (
	"io/fs"
	"time"
)

// changeTime returns when a file was last written; this system offers nothing better.
func changeTime(info fs.FileInfo) time.Time { return info.ModTime() }
