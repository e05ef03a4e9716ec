//go:build unix

package run

import (
	"strings"
	_ "unsafe" // for go:linkname
)

// startEnvironment returns the variables with which the process was started.
//
//go:linkname startEnvironment syscall.runtime_envs
func startEnvironment() []string

// environment() returns a function that looks up variables. It does not use os.Getenv, which would first build a map of
// all variables. Building the map takes longer than a few searches of the list. If a name occurs twice, this function
// and os.Getenv both use the first entry.
func environment() func(string) string {
	list := startEnvironment()
	return func(name string) string {
		for _, entry := range list {
			if len(entry) > len(name) && entry[len(name)] == '=' && strings.HasPrefix(entry, name) {
				return entry[len(name)+1:]
			}
		}
		return ""
	}
}
