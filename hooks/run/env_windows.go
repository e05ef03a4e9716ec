package run

import "os"

// environment() returns os.Getenv, because Windows does not distinguish upper and lower case in the names of variables.
func environment() func(string) string { return os.Getenv }
