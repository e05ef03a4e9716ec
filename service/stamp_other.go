//go:build !linux && !darwin

package service

import (
	"io/fs"
	"time"
)

// changedAt is when a file was last written, where nothing better is known.
func changedAt(info fs.FileInfo) time.Time { return info.ModTime() }
