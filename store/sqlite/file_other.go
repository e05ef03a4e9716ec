//go:build !unix

package sqlite

import "io/fs"

// exposed() always returns "". On this system, the permissions of the user's folder protect the file.
func exposed(fs.FileInfo, fs.FileMode) string { return "" }
