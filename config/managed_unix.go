//go:build unix

package config

import (
	"io/fs"
	"syscall"
)

const writableByOthers = 0o022

func unsafeOwner(_ string, info fs.FileInfo, owner int) string {
	stat, ok := info.Sys().(*syscall.Stat_t)
	switch {
	case !ok:
		return "has an unknown owner"
	case int(stat.Uid) != owner:
		return "does not belong to root; run chown root on it"
	case info.Mode().Perm()&writableByOthers != 0:
		return "can be written by others; run chmod go-w on it"
	}
	return ""
}
