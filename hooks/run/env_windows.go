package run

import "os"

// environment returns os.Getenv, because the names of variables are case-insensitive on Windows.
func environment() func(string) string { return os.Getenv }
