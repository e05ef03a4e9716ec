package document

import (
	"errors"
	"io"
	"os"
)

// ReadRegular reads a regular file. It stops one byte after the limit, so the caller can see that the file is larger.
// Reading a pipe could block, and reading a device may never end, so ReadRegular rejects pipes and devices.
func ReadRegular(name string, limit int64) ([]byte, error) {
	info, err := os.Stat(name)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() && !info.IsDir() {
		return nil, errors.New("is not a regular file")
	}
	file, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer func() { _ = file.Close() }() // an error of Close does not matter after reading
	return io.ReadAll(io.LimitReader(file, limit+1))
}
