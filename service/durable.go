package service

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
)

// durable puts a file that was written, and its place in its folder, on the disk.
func durable(name string) error {
	err := synced(name, os.O_WRONLY)
	if err != nil || runtime.GOOS == "windows" {
		return err // there a folder is not a file that could be forced onto the disk
	}
	return synced(filepath.Dir(name), os.O_RDONLY)
}

func synced(path string, how int) error {
	f, err := os.OpenFile(path, how, 0)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}
