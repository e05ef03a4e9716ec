package run

import "os"

// environment looks variables up, whose names are the same in upper and lower case here.
func environment() func(string) string { return os.Getenv }
