//go:build !unix

package sqlite

import "io/fs"

// shared knows nothing of owners here: the rights of the user's own folder hold.
func shared(fs.FileInfo, fs.FileMode) string { return "" }
